package dev.gitopsinterlock.crd;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The definitions with transition rules that are known, one for a kind. */
public final class Definitions {

    public static final Definitions NONE = new Definitions(Map.of());

    private final Map<List<String>, Definition> byKind;

    private Definitions(Map<List<String>, Definition> byKind) {
        this.byKind = Map.copyOf(byKind);
    }

    /** These and others, of which the last one of a kind counts, also one without rules. */
    public Definitions with(Collection<Definition> others) {
        var all = new HashMap<>(byKind);
        for (var each : others) {
            var kind = List.of(each.group(), each.kind());
            if (each.decides()) {
                all.put(kind, each);
            } else {
                all.remove(kind);
            }
        }
        return new Definitions(all);
    }

    /** That of an object. */
    public Optional<Definition> of(JsonNode object) {
        var version = object.path("apiVersion").asText();
        var slash = version.indexOf('/');
        // a group without a dot is one of Kubernetes' own, whatever a definition says
        return version.lastIndexOf('.', slash) < 0
                ? Optional.empty()
                : Optional.ofNullable(byKind.get(
                        List.of(version.substring(0, slash), object.path("kind").asText())));
    }

    /** The names of the kinds. */
    public Set<String> kinds() {
        return byKind.values().stream().map(Definition::kind).collect(Collectors.toUnmodifiableSet());
    }
}
