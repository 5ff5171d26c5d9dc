package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.edit.NextChange;
import dev.gitopsinterlock.immutability.Defaults;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.kubernetes.VersionKeys;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Labels and annotations that carry a version where they cannot change: the first upgrade is refused.
 *
 * @param places where they are
 */
record VersionLabels(List<List<String>> places) {

    private static final List<String> SELECTOR = List.of("spec", "selector", "matchLabels");

    static final VersionLabels NONE = new VersionLabels(List.of());
    static final VersionLabels OF_SELECTOR = new VersionLabels(List.of(SELECTOR));
    static final VersionLabels OF_STATEFUL_SET =
            new VersionLabels(List.of(SELECTOR, ofClaims("labels"), ofClaims("annotations")));

    /** The next upgrade of an object; empty for a kind without such labels. */
    Optional<NextChange> nextChange() {
        return places.isEmpty()
                ? Optional.empty()
                : Optional.of(new NextChange("the version in its selector or claim templates changes", this::upgraded));
    }

    private static List<String> ofClaims(String part) {
        return List.of("spec", "volumeClaimTemplates", "*", "metadata", part);
    }

    /** Those that a manifest has. */
    List<FieldPath> in(JsonNode manifest) {
        return places.stream()
                .flatMap(place -> below(FieldPath.ROOT, manifest, place))
                .toList();
    }

    private static Stream<FieldPath> below(FieldPath path, JsonNode node, List<String> place) {
        if (place.isEmpty()) {
            return VersionKeys.in(node).map(path::key);
        }
        var next = place.getFirst();
        var rest = place.subList(1, place.size());
        return next.equals("*")
                ? IntStream.range(0, node.size()).boxed().flatMap(i -> below(path.index(i), node.path(i), rest))
                : below(path.field(next), node.path(next), rest);
    }

    private Optional<ObjectNode> upgraded(JsonNode live) {
        ObjectNode upgraded = live.deepCopy();
        places.stream()
                .flatMap(place -> Defaults.objects(upgraded, place).stream())
                .forEach(labels -> labels.properties().stream()
                        .filter(label -> VersionKeys.isVersion(
                                label.getKey(), label.getValue().asText()))
                        .forEach(label -> label.setValue(TextNode.valueOf("another"))));
        return upgraded.equals(live) ? Optional.empty() : Optional.of(upgraded);
    }
}
