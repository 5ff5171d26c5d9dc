package dev.gitopsinterlock.edit;

import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.toUnmodifiableMap;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.immutability.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The kinds that somebody knows: webhook, command line, docs and tests take the same ones. Immutable. */
public final class Kinds {

    private static final List<FieldPath> MAPS = List.of(
            FieldPath.of("metadata"),
            FieldPath.of("metadata", "annotations"),
            FieldPath.of("metadata", "labels"),
            FieldPath.of("spec"),
            FieldPath.of("spec", "template"));

    /** No alpha version, whose fields may be others. */
    private static final Pattern API_VERSION = Pattern.compile("(?:([^/]+)/)?v\\d+(?:beta\\d+)?");

    private final List<GuardedKind> all;
    private final Map<String, GuardedKind> byId;
    private final Map<List<String>, GuardedKind> byGroupAndName;

    /** These, in the order of the docs. */
    public Kinds(List<GuardedKind> kinds) {
        this.all = List.copyOf(kinds);
        this.byId = all.stream().collect(toUnmodifiableMap(GuardedKind::id, Function.identity()));
        this.byGroupAndName = all.stream()
                .collect(toUnmodifiableMap(kind -> List.of(kind.group(), kind.name()), Function.identity()));
    }

    /** In the order of the docs. */
    public List<GuardedKind> all() {
        return all;
    }

    /** By what reviews call them: {@code apps/v1/StatefulSet}. */
    public Map<String, GuardedKind> byId() {
        return byId;
    }

    /** The kind of an object; empty for another one, for a fragment, and for a malformed one. */
    public Optional<GuardedKind> of(JsonNode object) {
        return named(object)
                .filter(kind -> malformed(object).isEmpty() && kind.manifests().isComplete(object));
    }

    /** The kind that an object names, in any version of its group but an alpha one, whatever else it has or lacks. */
    public Optional<GuardedKind> named(JsonNode object) {
        var version = API_VERSION.matcher(object.path("apiVersion").asText());
        return version.matches()
                ? Optional.ofNullable(byGroupAndName.get(List.of(
                        requireNonNullElse(version.group(1), ""),
                        object.path("kind").asText())))
                : Optional.empty();
    }

    /** The first field that is no map, and is one in every object that has it. */
    public static Optional<FieldPath> malformed(JsonNode object) {
        return MAPS.stream()
                .filter(map -> {
                    var node = object;
                    for (var step : map.steps()) {
                        node = node.path(step.name());
                    }
                    return !node.isObject() && !node.isMissingNode() && !node.isNull();
                })
                .findFirst();
    }
}
