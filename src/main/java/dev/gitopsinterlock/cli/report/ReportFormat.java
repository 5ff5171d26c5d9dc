package dev.gitopsinterlock.cli.report;

import java.io.PrintWriter;

/** A way to write a report. */
@FunctionalInterface
public interface ReportFormat {

    /** Writes all of it; the writer stays open. */
    void write(Report report, PrintWriter out);
}
