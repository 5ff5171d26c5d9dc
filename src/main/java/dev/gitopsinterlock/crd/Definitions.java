package dev.gitopsinterlock.crd;

import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The definitions with transition rules that are known: of a kind all copies that differ. */
public final class Definitions {

    public static final Definitions NONE = new Definitions(Map.of());

    private final Map<List<String>, List<Definition>> byKind;

    private Definitions(Map<List<String>, List<Definition>> byKind) {
        this.byKind = Map.copyOf(byKind);
    }

    /** These, but of kinds that others define those alone, also where they have no rules. */
    public Definitions with(Collection<Definition> others) {
        var all = new HashMap<>(byKind);
        others.stream()
                .distinct()
                .collect(groupingBy(each -> List.of(each.group(), each.kind())))
                .forEach((kind, copies) -> {
                    if (copies.stream().anyMatch(Definition::decides)) {
                        all.put(kind, copies);
                    } else {
                        all.remove(kind);
                    }
                });
        return new Definitions(all);
    }

    /** Those of an object's kind, whatever its version. */
    public List<Definition> of(JsonNode object) {
        var version = object.path("apiVersion").asText();
        var slash = version.indexOf('/');
        // a group without a dot is one of Kubernetes' own, whatever a definition says
        return version.lastIndexOf('.', slash) < 0
                ? List.of()
                : byKind.getOrDefault(
                        List.of(version.substring(0, slash), object.path("kind").asText()), List.of());
    }

    /** Those of an object that have its version. */
    public List<Definition> ofVersion(JsonNode object) {
        var version = object.path("apiVersion").asText().replaceFirst(".*/", "");
        return of(object).stream()
                .filter(each -> each.versions().containsKey(version))
                .toList();
    }

    /** The names of the kinds. */
    public Set<String> kinds() {
        return byKind.keySet().stream().map(List::getLast).collect(Collectors.toUnmodifiableSet());
    }
}
