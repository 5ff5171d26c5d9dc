package dev.gitopsinterlock.cli.report;

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

    /** What writes a report in this format. */
    public ReportFormat on(boolean colours) {
        return switch (this) {
            case TEXT -> new TextFormat(colours);
            case JSON -> new JsonFormat();
            case SARIF -> new SarifFormat();
            case JUNIT -> new JunitFormat();
            case GITHUB -> new GithubFormat();
            case MARKDOWN -> new MarkdownFormat();
        };
    }
}
