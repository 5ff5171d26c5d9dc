package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.edit.NextChange;
import dev.gitopsinterlock.immutability.Defaults;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.kubernetes.VersionKeys;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Labels and annotations that carry a version where they cannot change: the first upgrade is refused. */
final class VersionLabels {

    private static final List<String> SELECTOR = List.of("spec", "selector", "matchLabels");

    /** Where they are, by kind. */
    private static final Map<String, List<List<String>>> OF = Map.of(
            "StatefulSet",
            List.of(SELECTOR, ofClaims("labels"), ofClaims("annotations")),
            "Deployment",
            List.of(SELECTOR),
            "DaemonSet",
            List.of(SELECTOR));

    private VersionLabels() {}

    /** The next upgrade of an object of the kind; empty for a kind without such labels. */
    static Optional<NextChange> of(String kind) {
        return Optional.ofNullable(OF.get(kind))
                .map(places -> new NextChange(
                        "the version in its selector or claim templates changes", live -> upgraded(live, places)));
    }

    private static List<String> ofClaims(String part) {
        return List.of("spec", "volumeClaimTemplates", "*", "metadata", part);
    }

    /** Those that a manifest has. */
    static List<FieldPath> in(JsonNode manifest) {
        return OF.getOrDefault(manifest.path("kind").asText(), List.of()).stream()
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

    private static Optional<ObjectNode> upgraded(JsonNode live, List<List<String>> places) {
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
