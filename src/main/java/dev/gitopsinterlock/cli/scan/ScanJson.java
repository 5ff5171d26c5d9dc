package dev.gitopsinterlock.cli.scan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.check.ScannedObject.Advice;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.PrintWriter;

/** Our own format: {@code docs/status.md} describes it. */
final class ScanJson {

    private static final int VERSION = 1;

    private ScanJson() {}

    static void write(ScanReport report, PrintWriter out) {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("version", VERSION);
        root.put("objects", report.count());
        var list = root.putArray("found");
        for (var object : report.found()) {
            var each = list.addObject();
            each.put("kind", object.object().kind());
            each.put("namespace", object.object().namespace());
            each.put("name", object.object().name());
            each.put("tool", object.by().label());
            object.refusal().ifPresent(refusal -> {
                each.put("when", refusal.what());
                each.put("code", refusal.code());
                each.put("remedy", refusal.remedy());
            });
            var advice = each.putArray("advice");
            object.advice().stream().map(Advice::text).forEach(advice::add);
        }
        out.println(Escape.json(root));
    }
}
