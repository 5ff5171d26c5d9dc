package dev.gitopsinterlock.cli.report;

import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;

/** For a comment on a pull request. */
final class MarkdownFormat {

    private MarkdownFormat() {}

    static void write(Report report, PrintWriter out) {
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
                    finding.severity().label(),
                    code(finding.place().file() + ":" + finding.place().line())
                            + finding.source()
                                    .map(template -> " " + code(template))
                                    .orElse(""),
                    Escape.markdown(finding.message()),
                    report.page(finding.code())
                            .map(page -> "[%s](%s)".formatted(finding.code(), page))
                            .orElse(finding.code()),
                    Escape.markdown(finding.toDo().orElse("")));
        }
        report.hint().ifPresent(hint -> out.printf("%n%s%n", hint));
    }

    private static String code(String text) {
        return "`" + Escape.line(text).replaceAll("[`|\\\\]", "'") + "`";
    }
}
