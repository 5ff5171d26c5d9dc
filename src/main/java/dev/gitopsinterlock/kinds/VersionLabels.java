package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.edit.NextChange;
import dev.gitopsinterlock.immutability.Defaults;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Labels that carry a version where labels cannot change: the first upgrade is refused. */
final class VersionLabels {

    /** Those of Helm's own templates, and the recommended one of Kubernetes. */
    private static final Set<String> KEYS = Set.of("helm.sh/chart", "chart", "app.kubernetes.io/version");

    /** {@code chart: shop} has none. */
    private static final Pattern VERSION = Pattern.compile("\\d");

    private static final List<String> SELECTOR = List.of("spec", "selector", "matchLabels");

    /** Where they are, by kind. */
    private static final Map<String, List<List<String>>> OF = Map.of(
            "StatefulSet",
            List.of(SELECTOR, List.of("spec", "volumeClaimTemplates", "*", "metadata", "labels")),
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

    private static Optional<ObjectNode> upgraded(JsonNode live, List<List<String>> places) {
        ObjectNode upgraded = live.deepCopy();
        places.stream()
                .flatMap(place -> Defaults.objects(upgraded, place).stream())
                .forEach(labels -> KEYS.stream()
                        .filter(key ->
                                VERSION.matcher(labels.path(key).asText()).find())
                        .forEach(key -> labels.put(key, "another")));
        return upgraded.equals(live) ? Optional.empty() : Optional.of(upgraded);
    }
}
