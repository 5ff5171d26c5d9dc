package dev.gitopsinterlock.cli.cluster;

import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.doctor.Reading;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a cluster serves, by the lists that anybody may read. Asks for each once. Blocks. */
public final class ServedKinds {

    private final ClusterReader cluster;
    private final Map<String, Reading> answers = new HashMap<>();

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
        for (var other : read("/apis/" + group).tree().path("versions")) {
            var name = other.path("version").asText();
            if (serves(group, name, kind)) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    /** Also where nobody may know. */
    private boolean serves(String group, String version, String kind) throws Unreadable {
        var list = read(group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version);
        return list.isRefused()
                || list.tree()
                        .path("resources")
                        .valueStream()
                        .anyMatch(resource -> resource.path("kind").asText().equals(kind));
    }

    private Reading read(String path) throws Unreadable {
        var known = answers.get(path);
        if (known == null) {
            known = cluster.read(path);
            answers.put(path, known);
        }
        return known;
    }
}
