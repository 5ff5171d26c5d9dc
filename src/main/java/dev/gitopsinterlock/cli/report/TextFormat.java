package dev.gitopsinterlock.cli.report;

import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.Severity;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;
import java.util.regex.Pattern;

/**
 * A report as text for people: where, what, the line with a caret, and what to do.
 *
 * @param colours whether the terminal shows them
 */
record TextFormat(boolean colours) {

    /** Fields whose line may hold what is nobody's business: content, and options of drivers. */
    private static final Pattern CONTENT =
            Pattern.compile("(^|\\.)(data|binaryData|parameters|volumeAttributes|options)(\\[|$)");

    private static final int WIDTH = 120;
    private static final String RESET = "\u001b[0m";
    private static final String BOLD = "\u001b[1m";

    void write(Report report, PrintWriter out) {
        for (var finding : report.findings().open()) {
            write(finding, report, out);
        }
        report.hint().ifPresent(out::println);
        Escape.printf(out, "%s%n", report.summary());
    }

    private void write(Finding finding, Report report, PrintWriter out) {
        var place = finding.place();
        Escape.printf(
                out,
                styled(BOLD, "%s:%d:%d:") + " "
                        + styled(colour(finding.severity()), finding.severity().label() + ":") + " %s%n",
                place.file(),
                place.line(),
                place.column(),
                finding.message());
        // what a job of CI prints is read by many
        if (!finding.object().kind().equals("Secret")
                && finding.fields().stream()
                        .noneMatch(field -> CONTENT.matcher(field).find())) {
            quote(finding, out);
        }
        finding.source().ifPresent(template -> Escape.printf(out, "  in the chart: %s%n", template));
        finding.toDo().ifPresent(words -> Escape.printf(out, "  %s%n", words));
        Escape.printf(out, "  %s%n%n", about(finding, report));
    }

    private void quote(Finding finding, PrintWriter out) {
        var place = finding.place();
        var line = finding.manifest().text().line(place);
        var number = Integer.toString(place.line());
        // of a long line, what is around the place
        var from = Math.max(0, place.column() - 1 - WIDTH / 2);
        var shown = line.length() <= WIDTH ? line : line.substring(from, Math.min(line.length(), from + WIDTH));
        var before = line.length() <= WIDTH ? place.column() - 1 : place.column() - 1 - from;
        Escape.printf(out, "  %s | %s%n", number, shown);
        out.printf(
                "  %s | %s%s%n",
                " ".repeat(number.length()),
                " "
                        .repeat(Escape.line(shown.substring(0, Math.min(shown.length(), before)))
                                .length()),
                styled(colour(finding.severity()), "^"));
    }

    private static String about(Finding finding, Report report) {
        return finding.code() + ": " + report.page(finding.code()).orElse("gitops-interlock explain " + finding.code());
    }

    private static String colour(Severity severity) {
        return switch (severity) {
            case ERROR -> "\u001b[31m";
            case WARNING -> "\u001b[33m";
            case NOTE -> "\u001b[36m";
        };
    }

    private String styled(String style, String text) {
        return colours ? style + text + RESET : text;
    }
}
