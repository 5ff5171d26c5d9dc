package dev.gitopsinterlock.cli.scan;

import dev.gitopsinterlock.check.ScannedObject;
import dev.gitopsinterlock.cli.output.Escape;
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

    private static final String STYLE = """
            :root { color-scheme: light dark; --text: #1c1e21; --soft: #555b63; --page: #fff; --card: #f4f5f7;
              --line: #c9ced6; --refused: #a4161a; --mistaken: #7a4f00; --link: #0b57d0; }
            @media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --soft: #b3b9c1; --page: #16181b;
              --card: #22252a; --line: #454b54; --refused: #ff9a94; --mistaken: #f5c86b; --link: #8ab4f8; } }
            * { box-sizing: border-box; }
            body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.5 system-ui, sans-serif;
              color: var(--text); background: var(--page); }
            h1 { font-size: 1.5rem; line-height: 1.2; }
            h2 { margin-top: 2rem; font-size: 1.2rem; border-bottom: 1px solid var(--line); }
            h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
            a { color: var(--link); }
            dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0; }
            dl div { min-width: 8rem; }
            dt { color: var(--soft); }
            dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
            ul.jobs { padding: 0; list-style: none; }
            ul.jobs > li { margin: .75rem 0; padding: .75rem; background: var(--card); border-radius: .5rem;
              border-inline-start: .3rem solid var(--mistaken); }
            ul.jobs > li.refused { border-color: var(--refused); }
            li p { margin: .25rem 0 0; overflow-wrap: anywhere; }
            .refused strong { color: var(--refused); }
            .mistaken { color: var(--mistaken); }
            .soft { color: var(--soft); }
            """;

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
                STYLE,
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
