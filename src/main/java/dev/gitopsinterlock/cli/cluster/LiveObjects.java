package dev.gitopsinterlock.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.check.CheckedTypes;
import dev.gitopsinterlock.check.ObjectId;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.doctor.Reading;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.util.Optional;
import java.util.stream.Stream;

/** The objects that are in a cluster now. */
public final class LiveObjects {

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private final ClusterReader cluster;
    private final ServedKinds served;
    private final String namespace;

    /**
     * Those of a cluster.
     *
     * @param namespace of objects that name none
     */
    public LiveObjects(ClusterReader cluster, String namespace) {
        this.cluster = cluster;
        this.served = new ServedKinds(cluster);
        this.namespace = namespace;
    }

    /**
     * The object of that name, in whatever version the cluster serves; absent where there is none, as of a name or type
     * that no object of Kubernetes can have.
     *
     * @return empty where the cluster serves no version of the type
     */
    public Optional<Reading> of(CheckedTypes.Type type, ObjectId id) throws Unreadable {
        var where = id.namespace().isEmpty() ? namespace : id.namespace();
        var resource = type.resource();
        if (!Stream.of(resource.group(), resource.version(), resource.plural())
                        .allMatch(part -> part.isEmpty() || Wording.isName(part))
                || (type.namespaced() && !Wording.isName(where))
                || !Wording.isName(id.name())) {
            return Optional.of(Reading.absent());
        }
        var name = new ObjectName(type.namespaced() ? where : "", id.name());
        var live = cluster.read(resource.path(name));
        if (!live.isAbsent()) {
            return Optional.of(live);
        }
        var version = served.version(resource.group(), resource.version(), resource.kind());
        return version.isEmpty() || version.get().equals(resource.version())
                ? version.map(own -> live)
                : Optional.of(cluster.read(resource.in(version.get()).path(name)));
    }

    /** The manifest that a client-side apply has left on an object; a missing node where there is none, or no JSON. */
    public static JsonNode appliedTo(JsonNode live) {
        try {
            var text = ObjectMeta.annotation(live, LAST_APPLIED);
            return text.isEmpty() ? MissingNode.getInstance() : JsonText.parse(text);
        } catch (Unreadable e) {
            return MissingNode.getInstance();
        }
    }
}
