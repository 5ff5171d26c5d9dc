package dev.gitopsinterlock.cli.yaml;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.crd.Definitions;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads the objects of known kinds out of a file, YAML or JSON, alone or in a list. Documents that name no such kind are not
 * looked at, so that what else is in the file, and whether it is well-formed, costs nothing and does not matter. Safe for threads.
 */
public final class Manifests {

    private static final String ITEMS = "items";

    /** Those of no kind. */
    public static final Manifests NONE = new Manifests(new Kinds(List.of()));

    private final Kinds kinds;
    private final Definitions definitions;
    private final boolean isOfAnyVersion;
    private final Set<String> names;
    private final AtomicReference<YamlDocument.@Nullable Parsed> latest = new AtomicReference<>();

    /** Those of these kinds. */
    public Manifests(Kinds kinds) {
        this(kinds, Definitions.NONE);
    }

    /** Those of these kinds, and custom resources of versions whose definitions are known. */
    public Manifests(Kinds kinds, Definitions definitions) {
        this(kinds, definitions, false);
    }

    private Manifests(Kinds kinds, Definitions definitions, boolean isOfAnyVersion) {
        this.kinds = kinds;
        this.definitions = definitions;
        this.isOfAnyVersion = isOfAnyVersion;
        this.names = Stream.concat(kinds.all().stream().map(GuardedKind::name), definitions.kinds().stream())
                .collect(toUnmodifiableSet());
    }

    /** Also custom resources of other versions, which a change may lead away from. */
    public Manifests ofAnyVersion() {
        return new Manifests(kinds, definitions, true);
    }

    /** Whether a text with such kinds may hold such an object; without that, nothing else about it matters. */
    public boolean mayBeAmong(NamedKinds named) {
        return named.mayHave(kind -> kind.endsWith("List") || names.contains(kind));
    }

    /** Whether there is enough of it to be checked: it is neither a fragment, such as a patch, nor malformed. */
    public boolean isWhole(Manifest manifest) {
        return kinds.of(manifest.object()).isPresent() || isDefined(manifest.object());
    }

    private boolean isDefined(JsonNode object) {
        return !(isOfAnyVersion ? definitions.of(object) : definitions.ofVersion(object)).isEmpty();
    }

    /**
     * All of them, in their order, and what is not whole.
     *
     * @param file for messages
     * @param path below the tree, for pairing
     */
    public List<Manifest> in(String file, String path, String text) throws MalformedYaml {
        var found = new ArrayList<Manifest>();
        for (var document : new YamlFile(file, text, latest).documents()) {
            if (mayBeAmong(NamedKinds.in(document.text()))) {
                var nodes = document.nodes();
                for (var i = 0; i < nodes.size(); i++) {
                    if (nodes.get(i) instanceof MappingNode node) {
                        var at = JsonPointer.empty().appendIndex(i);
                        add(document, path, node, new YamlTree(document).of(node), at, found);
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    /** All objects of a text, of any kind; what is no YAML is left out. */
    public static List<JsonNode> all(String text) {
        var found = new ArrayList<JsonNode>();
        for (var document : new YamlFile("", text, new AtomicReference<>()).documents()) {
            try {
                document.trees().valueStream().flatMap(Manifests::items).forEach(found::add);
            } catch (MalformedYaml e) {
                // left out
            }
        }
        return List.copyOf(found);
    }

    /** Those of a list, or the object itself. */
    static Stream<JsonNode> items(JsonNode object) {
        return object.path("kind").asText().endsWith("List")
                ? IntStream.range(0, object.path(ITEMS).size()).mapToObj(i -> item(object, i))
                : Stream.of(object);
    }

    /** As kubectl reads it: in a list of one kind an item need not name it. */
    private static JsonNode item(JsonNode list, int index) {
        var item = list.path(ITEMS).path(index);
        var kind = list.path("kind").asText().replaceFirst("List$", "");
        return kind.isEmpty() || !item.isObject() || item.has("kind")
                ? item
                : ((ObjectNode) item.deepCopy()).put("kind", kind).set("apiVersion", list.path("apiVersion"));
    }

    private void add(
            YamlDocument document, String path, Node node, JsonNode object, JsonPointer at, List<Manifest> found) {
        if (!(node instanceof MappingNode mapping)) {
            return;
        }
        var kind = object.path("kind").asText();
        if (kind.endsWith("List") && YamlTree.child(mapping, ITEMS).orElse(null) instanceof SequenceNode items) {
            for (var i = 0; i < items.getValue().size(); i++) {
                add(
                        document,
                        path,
                        items.getValue().get(i),
                        item(object, i),
                        at.appendProperty(ITEMS).appendIndex(i),
                        found);
            }
        } else if (kinds.named(object).isPresent() || isDefined(object)) {
            found.add(new Manifest(path, object, new YamlText(document, at)));
        }
    }
}
