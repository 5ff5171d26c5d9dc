package dev.gitopsinterlock.edit;

import static java.util.stream.Collectors.toUnmodifiableMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The kinds that somebody knows: webhook, command line, docs and tests take the same ones. Immutable. */
public final class Kinds {

    private final List<GuardedKind> all;
    private final Map<String, GuardedKind> byId;

    /** These, in the order of the docs. */
    public Kinds(List<GuardedKind> kinds) {
        this.all = List.copyOf(kinds);
        this.byId = all.stream().collect(toUnmodifiableMap(GuardedKind::id, Function.identity()));
    }

    /** In the order of the docs. */
    public List<GuardedKind> all() {
        return all;
    }

    /** By what reviews call them: {@code apps/v1/StatefulSet}. */
    public Map<String, GuardedKind> byId() {
        return byId;
    }

    /** The kind of an object; empty for another one, and for a fragment. */
    public Optional<GuardedKind> of(JsonNode object) {
        var version = object.path("apiVersion").asText();
        return Optional.ofNullable(byId.get((version.contains("/") ? version : "/" + version) + "/"
                        + object.path("kind").asText()))
                .filter(kind -> hasMetadata(object) && kind.manifests().isComplete(object));
    }

    /** Of the form that every object has, or none. */
    private static boolean hasMetadata(JsonNode object) {
        var metadata = object.path("metadata");
        return object instanceof ObjectNode
                && isObjectOrNothing(metadata)
                && isObjectOrNothing(metadata.path("annotations"))
                && isObjectOrNothing(metadata.path("labels"));
    }

    private static boolean isObjectOrNothing(JsonNode node) {
        return node.isObject() || node.isMissingNode() || node.isNull();
    }
}
