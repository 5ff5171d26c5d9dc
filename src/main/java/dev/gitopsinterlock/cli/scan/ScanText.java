package dev.gitopsinterlock.cli.scan;

import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;

/** For people: each object, and what to do. */
final class ScanText {

    private ScanText() {}

    static void write(ScanReport report, PrintWriter out) {
        for (var object : report.found()) {
            object.refusal()
                    .ifPresent(refusal -> Escape.printf(
                            out,
                            "%s (%s) will be refused when %s: %s%n  Then: %s%n",
                            object.object(),
                            object.by().label(),
                            refusal.what(),
                            refusal.code(),
                            refusal.remedy()));
            object.advice()
                    .forEach(advice -> Escape.printf(
                            out,
                            "%s (%s): %s: %s%n",
                            object.object(),
                            object.by().label(),
                            advice.text(),
                            advice.code()));
        }
        var found = report.found().size();
        out.printf(
                "%d objects, %d to look at%s%n",
                report.count(), found, found == 0 ? "" : "; gitops-interlock explain CODE says more");
    }
}
