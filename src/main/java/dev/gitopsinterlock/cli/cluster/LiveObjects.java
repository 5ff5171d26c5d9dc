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
import java.util.stream.Stream;

/**
 * The objects that are in a cluster now.
 *
 * @param cluster to be asked
 * @param namespace of objects that name none
 */
public record LiveObjects(ClusterReader cluster, String namespace) {

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    /** The object of that name; absent where there is none, as of a name or type that no object of Kubernetes can have. */
    public Reading of(CheckedTypes.Type type, ObjectId id) throws Unreadable {
        var where = id.namespace().isEmpty() ? namespace : id.namespace();
        var resource = type.resource();
        return Stream.of(resource.group(), resource.version(), resource.plural())
                                .allMatch(part -> part.isEmpty() || Wording.isName(part))
                        && (!type.namespaced() || Wording.isName(where))
                        && Wording.isName(id.name())
                ? cluster.read(resource.path(new ObjectName(type.namespaced() ? where : "", id.name())))
                : Reading.absent();
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
