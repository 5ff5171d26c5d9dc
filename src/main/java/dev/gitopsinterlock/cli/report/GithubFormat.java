package dev.gitopsinterlock.cli.report;

import dev.gitopsinterlock.check.Severity;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;

/** Workflow commands of GitHub Actions: with a line they show beside it among the changed files. */
final class GithubFormat {

    private GithubFormat() {}

    static void write(Report report, PrintWriter out) {
        for (var finding : report.findings().open()) {
            var place = finding.place();
            Escape.printf(
                    out,
                    "::%s file=%s,line=%d,col=%d,title=%s::%s%n",
                    command(finding.severity()),
                    property(place.file()),
                    place.line(),
                    place.column(),
                    property(finding.code()),
                    message(finding.says()));
        }
        report.unjudged().forEach(words -> Escape.printf(out, "::error::%s%n", message(words)));
        report.hint().ifPresent(hint -> Escape.printf(out, "::notice::%s%n", message(hint)));
        Escape.printf(out, "%s%n", report.summary());
    }

    private static String command(Severity severity) {
        return switch (severity) {
            case ERROR -> "error";
            case WARNING -> "warning";
            case NOTE -> "notice";
        };
    }

    private static String message(String text) {
        return text.replace("%", "%25");
    }

    private static String property(String text) {
        return message(text).replace(":", "%3A").replace(",", "%2C");
    }
}
