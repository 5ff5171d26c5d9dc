package dev.gitopsinterlock.build.pages;

import static java.util.stream.Collectors.toMap;

import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * Writes docs/guidance, docs/runbooks, and the pages that they lead to, as HTML: the service serves them on its management port. Pages lie
 * side by side; a link to a page that is not among them becomes plain text. For one thread.
 */
public final class PagesBuild {

    /** The page of all codes: what the folder itself shows. */
    static final String INDEX = "index";

    private static final Path DOCS = Project.directory().resolve("docs");

    /** What somebody with a denial is sent on to. */
    private static final List<String> FURTHER = List.of(
            "advice",
            "configuration",
            "immutable-fields",
            "machineconfig-gate",
            "monitoring",
            "operations",
            "replace",
            "tools",
            "troubleshooting");

    private final Map<Path, String> names;

    PagesBuild() {
        names = new TreeMap<>(files().collect(toMap(file -> file, PagesBuild::name)));
    }

    /**
     * Writes them.
     *
     * @param arguments the folder, which is made if need be
     */
    public static void main(String... arguments) throws IOException {
        var folder = Files.createDirectories(Path.of(arguments[0]));
        for (var page : new PagesBuild().pages().entrySet()) {
            Files.writeString(folder.resolve(page.getKey() + ".html"), page.getValue());
        }
    }

    /** All of them, by their names. */
    Map<String, String> pages() {
        var pages = new TreeMap<String, String>();
        names.forEach((file, name) -> pages.put(name, html(file)));
        return pages;
    }

    private static Stream<Path> files() {
        try (var guidance = Files.list(DOCS.resolve("guidance"));
                var runbooks = Files.list(DOCS.resolve("runbooks"))) {
            return Stream.of(
                            guidance.toList(),
                            runbooks.toList(),
                            FURTHER.stream()
                                    .map(name -> DOCS.resolve(name + ".md"))
                                    .toList())
                    .flatMap(List::stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        var name = file.getFileName().toString().replaceFirst("\\.md$", "");
        return switch (DOCS.relativize(file).toString()) {
            case "guidance/README.md" -> INDEX;
            case "runbooks/README.md" -> "runbooks";
            default -> name;
        };
    }

    private String html(Path file) {
        var document = Markdown.parse(text(file));
        Markdown.forEachLink(document, link -> retarget(file, link));
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>%s</title>
            <style>
            :root { color-scheme: light dark; }
            body { max-width: 50rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
            pre, table { display: block; overflow-x: auto; }
            pre { padding: .75rem; border: 1px solid; white-space: pre-wrap; overflow-wrap: anywhere; }
            table { border-collapse: collapse; }
            td, th { padding: .25rem .5rem; border: 1px solid; text-align: left; vertical-align: top; }
            </style>
            <nav><a href="./">gitops-interlock: all pages</a></nav>
            <main>
            %s</main>
            </html>
            """.formatted(Markdown.title(document), Markdown.html(document));
    }

    private void retarget(Path file, Link link) {
        var target = link.getDestination();
        if (target.startsWith("#") || target.startsWith("https://")) {
            return;
        }
        var hash = target.indexOf('#');
        var path = hash < 0 ? target : target.substring(0, hash);
        var name = names.get(file.resolveSibling(path).normalize());
        if (name == null) {
            unwrap(link);
        } else {
            link.setDestination((name.equals(INDEX) ? "./" : name) + (hash < 0 ? "" : target.substring(hash)));
        }
    }

    private static void unwrap(Link link) {
        for (Node child = link.getFirstChild(); child != null; child = link.getFirstChild()) {
            link.insertBefore(child);
        }
        link.unlink();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
