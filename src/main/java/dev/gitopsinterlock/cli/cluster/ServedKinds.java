package dev.gitopsinterlock.cli.cluster;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.cli.input.Unreadable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What a cluster serves, by the lists that anybody may read. Asks for each once. Blocks. */
public final class ServedKinds {

    private final ClusterReader cluster;
    private final Map<String, JsonNode> groups = new HashMap<>();
    private final Map<String, Optional<Set<String>>> lists = new HashMap<>();

    public ServedKinds(ClusterReader cluster) {
        this.cluster = cluster;
    }

    /** The version of a kind that is served, this one or else another of its group; empty where none is. */
    public Optional<String> version(String group, String version, String kind) throws Unreadable {
        if (!Stream.of(group, version).allMatch(part -> part.isEmpty() || Wording.isName(part))) {
            return Optional.empty();
        }
        if (serves(group, version, kind)) {
            return Optional.of(version);
        }
        var all = groups.get(group);
        if (all == null) {
            all = cluster.read("/apis/" + group).tree().path("versions");
            groups.put(group, all);
        }
        for (var other : all) {
            var name = other.path("version").asText();
            if (serves(group, name, kind)) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    /** Also where nobody may know. */
    private boolean serves(String group, String version, String kind) throws Unreadable {
        var path = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        var known = lists.get(path);
        if (known == null) {
            var list = cluster.read(path);
            known = list.isRefused()
                    ? Optional.empty()
                    : Optional.of(list.tree()
                            .path("resources")
                            .valueStream()
                            .map(resource -> resource.path("kind").asText())
                            .collect(toUnmodifiableSet()));
            lists.put(path, known);
        }
        return known.isEmpty() || known.get().contains(kind);
    }
}
