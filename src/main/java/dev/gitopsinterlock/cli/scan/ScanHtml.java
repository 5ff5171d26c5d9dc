package dev.gitopsinterlock.cli.scan;

import dev.gitopsinterlock.check.ScannedObject;
import dev.gitopsinterlock.cli.output.Escape;
import dev.gitopsinterlock.config.PackagedFile;
import dev.gitopsinterlock.tool.Tool;
import java.io.PrintWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A page that loads nothing: no script, no font, no picture. */
final class ScanHtml {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private ScanHtml() {}

    static void write(ScanReport report, PrintWriter out) {
        out.printf(
                """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>What Kubernetes will refuse</title>
                <style>
                %s</style>
                </head>
                <body>
                <header>
                <h1>What Kubernetes will refuse</h1>
                <p class="soft">Read at %s by gitops-interlock %s</p>
                <dl>
                <div><dt>Objects</dt><dd>%d</dd></div>
                <div><dt>Will be refused</dt><dd>%d</dd></div>
                <div><dt>Warnings</dt><dd>%d</dd></div>
                </dl>
                </header>
                <main>
                """,
                PackagedFile.text("/scan/style.css"),
                TIME.format(report.at()),
                escaped(report.version()),
                report.count(),
                report.refused(),
                report.mistaken());
        var namespaces = report.found().stream()
                .collect(Collectors.groupingBy(
                        object -> object.object().namespace(), TreeMap::new, Collectors.toList()));
        if (namespaces.isEmpty()) {
            out.println("<p>Nothing needs to be done.</p>");
        } else {
            contents(namespaces, out);
        }
        namespaces.forEach((namespace, objects) -> section(namespace, objects, out));
        out.print("""
                </main>
                <footer>
                <p class="soft"><code>gitops-interlock explain CODE</code> shows the page of a code.</p>
                </footer>
                </body>
                </html>
                """);
    }

    private static void contents(SortedMap<String, List<ScannedObject>> namespaces, PrintWriter out) {
        out.println("<nav aria-label=\"Namespaces\">\n<ul>");
        namespaces.forEach((namespace, objects) -> out.printf(
                "<li><a href=\"#%s\">%s</a>: %d to look at</li>%n",
                escaped(namespace), escaped(namespace), objects.size()));
        out.println("</ul>\n</nav>");
    }

    private static void section(String namespace, List<ScannedObject> objects, PrintWriter out) {
        out.printf(
                "<section aria-labelledby=\"%s\">%n<h2 id=\"%s\">Namespace %s</h2>%n<ul class=\"jobs\">%n",
                escaped(namespace), escaped(namespace), escaped(namespace));
        objects.forEach(object -> object(object, out));
        out.println("</ul>\n</section>");
    }

    private static void object(ScannedObject object, PrintWriter out) {
        out.printf(
                "<li%s>%n<h3>%s</h3>%n<p class=\"soft\">%s</p>%n",
                object.refusal().isPresent() ? " class=\"refused\"" : "",
                escaped(object.object().kind() + " " + object.object().name()),
                object.by() == Tool.UNKNOWN
                        ? "Nothing tells who changes it"
                        : "Changed by " + escaped(object.by().delivery().title()));
        object.refusal()
                .ifPresent(refusal -> out.printf(
                        "<p><strong>Will be refused when %s: %s.</strong> Then: %s</p>%n",
                        escaped(refusal.what()), escaped(refusal.code()), escaped(refusal.remedy())));
        object.advice()
                .forEach(advice ->
                        out.printf("<p><span class=\"mistaken\">Warning:</span> %s</p>%n", escaped(advice.text())));
        out.println("</li>");
    }

    private static String escaped(String text) {
        return Escape.line(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
