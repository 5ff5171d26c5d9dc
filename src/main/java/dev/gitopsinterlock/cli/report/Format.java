package dev.gitopsinterlock.cli.report;

import java.io.PrintWriter;
import java.util.Locale;

/** The formats by their names on the command line. */
public enum Format {
    /** For a terminal. */
    TEXT,
    /** JSON in a format of our own: its members stay, others may come. */
    JSON,
    /** SARIF 2.1.0, for code scanning. */
    SARIF,
    /** For CI systems that show tests. */
    JUNIT,
    /** Annotations of GitHub Actions, beside the changed lines. */
    GITHUB,
    /** For a comment on a pull request. */
    MARKDOWN;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Writes all of a report; the writer stays open.
     *
     * @param colours whether a terminal shows them
     */
    public void write(Report report, boolean colours, PrintWriter out) {
        switch (this) {
            case TEXT -> new TextFormat(colours).write(report, out);
            case JSON -> JsonFormat.write(report, out);
            case SARIF -> SarifFormat.write(report, out);
            case JUNIT -> JunitFormat.write(report, out);
            case GITHUB -> GithubFormat.write(report, out);
            case MARKDOWN -> MarkdownFormat.write(report, out);
        }
    }
}
