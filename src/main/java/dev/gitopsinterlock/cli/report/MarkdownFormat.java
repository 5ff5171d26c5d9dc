package dev.gitopsinterlock.cli.report;

import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;
import java.util.Locale;

/** For a comment on a pull request. */
final class MarkdownFormat implements ReportFormat {

    @Override
    public void write(Report report, PrintWriter out) {
        out.println("### gitops-interlock: " + Escape.markdown(report.summary()));
        if (!report.unjudged().isEmpty()) {
            out.println();
            report.unjudged().forEach(words -> out.println("- " + Escape.markdown(words)));
        }
        if (report.findings().open().isEmpty()) {
            return;
        }
        out.println();
        out.println("| | where | what | what to do |");
        out.println("|---|---|---|---|");
        for (var finding : report.findings().open()) {
            out.printf(
                    "| %s | %s | %s (%s) | %s |%n",
                    finding.severity().name().toLowerCase(Locale.ROOT),
                    code(finding.place().file() + ":" + finding.place().line())
                            + finding.source()
                                    .map(template -> " " + code(template))
                                    .orElse(""),
                    Escape.markdown(finding.message()),
                    page(finding, report),
                    Escape.markdown(finding.toDo().orElse("")));
        }
        report.hint().ifPresent(hint -> out.printf("%n%s%n", hint));
    }

    private static String page(Finding finding, Report report) {
        var isLinked = report.pages().address().isPresent()
                && report.pages().remedies().containsKey(finding.code());
        return isLinked ? "[%s](%s)".formatted(finding.code(), report.pages().of(finding.code())) : finding.code();
    }

    private static String code(String text) {
        return "`" + Escape.line(text).replaceAll("[`|\\\\]", "'") + "`";
    }
}
