package dev.gitopsinterlock.cli.scan;

import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;

/** For people: each Job, and what to do. */
final class ScanText {

    private ScanText() {}

    static void write(ScanReport report, PrintWriter out) {
        for (var job : report.found()) {
            job.refusal()
                    .ifPresent(refusal -> Escape.printf(
                            out,
                            "%s (%s) will be refused when its image changes: %s%n  %s%n",
                            job.job(),
                            job.by().label(),
                            refusal.code(),
                            refusal.remedy()));
            job.advice()
                    .forEach(advice -> Escape.printf(
                            out, "%s (%s): %s%n", job.job(), job.by().label(), advice.text()));
        }
        var found = report.found().size();
        out.printf(
                "%d Jobs, %d to look at%s%n",
                report.count(), found, found == 0 ? "" : "; gitops-interlock explain CODE says more");
    }
}
