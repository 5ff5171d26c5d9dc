package dev.gitopsinterlock.cli.scan;

import java.io.PrintWriter;

/** The formats of a scan by their names on the command line. */
public enum ScanFormat {
    /** For a terminal. */
    TEXT,
    /** JSON in a format of our own: its members stay, others may come. */
    JSON,
    /** One page for a browser, which needs nothing else. */
    HTML,
    /** Reports of openreports.io, to be applied to the cluster. */
    OPENREPORTS;

    /** Writes all of it; the writer stays open. */
    public void write(ScanReport report, PrintWriter out) {
        switch (this) {
            case TEXT -> ScanText.write(report, out);
            case JSON -> ScanJson.write(report, out);
            case HTML -> ScanHtml.write(report, out);
            case OPENREPORTS -> OpenReports.write(report, out);
        }
    }
}
