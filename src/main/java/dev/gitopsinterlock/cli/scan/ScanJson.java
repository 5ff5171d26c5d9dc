package dev.gitopsinterlock.cli.scan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.check.ScannedJob.Advice;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;

/** Our own format: {@code docs/status.md} describes it. */
final class ScanJson {

    private static final int VERSION = 1;

    private ScanJson() {}

    static void write(ScanReport report, PrintWriter out) {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("version", VERSION);
        root.put("jobs", report.count());
        var list = root.putArray("found");
        for (var job : report.found()) {
            var each = list.addObject();
            each.put("namespace", job.job().namespace());
            each.put("name", job.job().name());
            each.put("tool", job.by().label());
            job.refusal().ifPresent(refusal -> {
                each.put("code", refusal.code());
                each.put("remedy", refusal.remedy());
            });
            var advice = each.putArray("advice");
            job.advice().stream().map(Advice::text).forEach(advice::add);
        }
        out.println(Escape.json(root));
    }
}
