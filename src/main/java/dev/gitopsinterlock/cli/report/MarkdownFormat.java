package dev.gitopsinterlock.cli.report;

import dev.gitopsinterlock.check.Finding;
import java.io.PrintWriter;
import java.util.Locale;

/** For a comment on a pull request. */
final class MarkdownFormat implements ReportFormat {

    @Override
    public void write(Report report, PrintWriter out) {
        out.println("### gitops-interlock: " + report.summary());
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
                    code(finding.place().file() + ":" + finding.place().line()),
                    cell(finding.message()),
                    page(finding, report),
                    cell(finding.remedy()));
        }
    }

    private static String page(Finding finding, Report report) {
        var isLinked = report.pages().address().isPresent()
                && report.pages().remedies().containsKey(finding.code());
        return isLinked ? "[%s](%s)".formatted(finding.code(), report.pages().of(finding.code())) : finding.code();
    }

    private static String code(String text) {
        return "`" + text.replace("`", "'").replace("|", "\\|") + "`";
    }

    private static String cell(String text) {
        return text.replaceAll("([\\\\`*_<>\\[\\]|])", "\\\\$1");
    }
}
