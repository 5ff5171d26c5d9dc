package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cli.yaml.Manifests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A folder that manifests are rendered from: a kustomization that no other one is made of, by kustomize or kubectl, or a
 * chart with its own values, by Helm.
 *
 * @param path of it, from the root of the tree
 * @param sources files and folders that it is made of, as far as they are in the tree
 * @param isChart whether Helm renders it
 */
public record RenderedFolder(String path, Set<String> sources, boolean isChart) {

    static final Set<String> KUSTOMIZATIONS = Set.of("kustomization.yaml", "kustomization.yml", "Kustomization");

    /** Whose entries may be folders. */
    private static final Set<String> PARTS =
            Set.of("resources", "bases", "components", "generators", "transformers", "validators");

    static final String CHART = "Chart.yaml";

    public RenderedFolder {
        sources = Set.copyOf(sources);
    }

    /** All that a tree has. */
    public static List<RenderedFolder> in(Path tree) throws Unreadable {
        var found = new ArrayList<RenderedFolder>();
        var read = new HashMap<Path, List<JsonNode>>();
        try {
            for (var file : FileTrees.visible(tree)) {
                var name = file.getFileName().toString();
                var isChart = name.equals(CHART);
                if ((isChart || KUSTOMIZATIONS.contains(name)) && Files.isRegularFile(file, NOFOLLOW_LINKS)) {
                    var folder = file.resolveSibling("").normalize();
                    var sources = new TreeSet<String>();
                    if (isChart) {
                        sources.add(tree.relativize(folder).toString());
                    } else {
                        addSources(tree, folder, sources, read);
                    }
                    found.add(new RenderedFolder(tree.relativize(folder).toString(), sources, isChart));
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw Unreadable.trouble("cannot read " + tree + ": " + e);
        }
        return found.stream()
                .filter(folder -> found.stream().noneMatch(other -> !other.equals(folder) && other.isMadeOf(folder)))
                .toList();
    }

    private boolean isMadeOf(RenderedFolder other) {
        return isChart ? other.path.startsWith(path + "/") : sources.contains(other.path);
    }

    private static void addSources(Path tree, Path folder, Set<String> sources, Map<Path, List<JsonNode>> read)
            throws IOException {
        if (!folder.startsWith(tree) || !sources.add(tree.relativize(folder).toString())) {
            return;
        }
        var parsed = read.get(folder);
        if (parsed == null) {
            parsed = kustomizations(folder);
            read.put(folder, parsed);
        }
        for (var list :
                parsed.stream().flatMap(each -> each.properties().stream()).toList()) {
            for (var text : texts(list.getValue()).toList()) {
                // of a generator: KEY=FILE
                var source =
                        folder.resolve(text.substring(text.indexOf('=') + 1)).normalize();
                if (PARTS.contains(list.getKey()) && Files.isDirectory(source, NOFOLLOW_LINKS)) {
                    addSources(tree, source, sources, read);
                } else if (source.startsWith(tree) && Files.isRegularFile(source, NOFOLLOW_LINKS)) {
                    sources.add(tree.relativize(source).toString());
                }
            }
        }
    }

    private static List<JsonNode> kustomizations(Path folder) throws IOException {
        var found = new ArrayList<JsonNode>();
        for (var name : KUSTOMIZATIONS) {
            var file = folder.resolve(name);
            if (Files.isRegularFile(file, NOFOLLOW_LINKS)) {
                found.addAll(Manifests.all(new String(Files.readAllBytes(file), UTF_8)));
            }
        }
        return found;
    }

    private static Stream<String> texts(JsonNode node) {
        return node.isContainerNode()
                ? node.valueStream().flatMap(RenderedFolder::texts)
                : Stream.of(node.asText()).filter(text -> text.matches("[^\0\n]+"));
    }

    /** Whether a file is part of it. */
    public boolean has(String file) {
        return sources.stream()
                .anyMatch(source -> source.isEmpty() || file.equals(source) || file.startsWith(source + "/"));
    }

    /** How it looks in messages. */
    String title() {
        return (path.isEmpty() ? "." : path) + (isChart ? " (helm template)" : " (kustomize build)");
    }

    private boolean hasLinks(Path tree) throws Unreadable {
        for (var source : sources) {
            try (var all = Files.walk(tree.resolve(source))) {
                if (all.anyMatch(Files::isSymbolicLink)) {
                    return true;
                }
            } catch (IOException | UncheckedIOException e) {
                throw Unreadable.trouble("cannot read " + title() + ": " + e);
            }
        }
        return false;
    }

    /** The manifests. Nothing that a link leads to is in them. */
    String render(Path tree) throws Unreadable {
        var folder = tree.toAbsolutePath().resolve(path).toString();
        if (hasLinks(tree)) {
            throw Unreadable.trouble(title() + " has links, which may lead anywhere: render it yourself");
        }
        var command = isChart
                // never a name of the tree, which may look like an option
                ? List.of("helm", "template", "release", folder)
                : Program.isThere("kustomize")
                        ? List.of("kustomize", "build", folder)
                        : List.of("kubectl", "kustomize", folder);
        var result = Program.run(command);
        if (result.code() != 0) {
            throw Unreadable.trouble(title() + ": " + result.errors());
        }
        return result.out();
    }
}
