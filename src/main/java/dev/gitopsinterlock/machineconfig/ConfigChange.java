package dev.gitopsinterlock.machineconfig;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The facts of one request about an object that pools are made of. The trees are the request's own and are not to be
 * changed.
 *
 * @param kind what it is
 * @param name of the object
 * @param operation what is asked for
 * @param before the live object; a missing node on CREATE
 * @param after the object as it would be; a missing node on DELETE
 * @param user who asks
 */
public record ConfigChange(Kind kind, String name, Operation operation, JsonNode before, JsonNode after, String user) {

    private static final String OPERATOR = "machineconfiguration.openshift.io";
    private static final String CLUSTER = "config.openshift.io";

    /** What can be changed to make pools roll out: MachineConfigs, and what the operator renders into them. */
    public enum Kind {
        MACHINE_CONFIG(OPERATOR, "MachineConfig", "/spec", Pools.THAT_SELECT_IT),
        KUBELET_CONFIG(OPERATOR, "KubeletConfig", "/spec", Pools.THAT_IT_SELECTS),
        CONTAINER_RUNTIME_CONFIG(OPERATOR, "ContainerRuntimeConfig", "/spec", Pools.THAT_IT_SELECTS),
        /** An operating system that is built for a pool. */
        MACHINE_OS_CONFIG(OPERATOR, "MachineOSConfig", "/spec", Pools.THAT_IT_NAMES),
        /** A file of every Node is made of all of these, and of that part of an Image. */
        IMAGE_DIGEST_MIRROR_SET(CLUSTER, "ImageDigestMirrorSet", "/spec", Pools.ALL),
        IMAGE_TAG_MIRROR_SET(CLUSTER, "ImageTagMirrorSet", "/spec", Pools.ALL),
        IMAGE(CLUSTER, "Image", "/spec/registrySources", Pools.ALL);

        private final String group;
        private final String word;
        private final String content;
        private final Pools pools;

        Kind(String group, String word, String content, Pools pools) {
            this.group = group;
            this.word = word;
            this.content = content;
            this.pools = pools;
        }

        public String label() {
            return word;
        }

        String groupVersionKind() {
            return group + "/v1/" + word;
        }
    }

    /** Which pools a kind concerns, by labels or a name. */
    private enum Pools {
        THAT_SELECT_IT,
        THAT_IT_SELECTS,
        THAT_IT_NAMES,
        ALL
    }

    /** Whether the pool is made of the object, or was before. */
    boolean concerns(Pool pool) {
        return Stream.of(before, after).filter(JsonNode::isObject).anyMatch(object -> switch (kind.pools) {
            case THAT_SELECT_IT -> pool.configs().selects(labels(object));
            case THAT_IT_SELECTS ->
                LabelSelector.of(object.at("/spec/machineConfigPoolSelector")).selects(pool.labels());
            case THAT_IT_NAMES ->
                object.at("/spec/machineConfigPool/name").asText().equals(pool.name());
            case ALL -> true;
        });
    }

    private static Map<String, String> labels(JsonNode object) {
        return ObjectMeta.texts(ObjectMeta.labels(object));
    }

    /** Whether anything that pools are made of differs. */
    boolean changesContent() {
        return operation != Operation.UPDATE
                || !before.at(kind.content).equals(after.at(kind.content))
                || (kind == Kind.MACHINE_CONFIG && !labels(before).equals(labels(after)));
    }

    /** What the controller itself makes of all that a pool selects. Its name alone proves nothing. */
    boolean isRendered() {
        var object = after.isObject() ? after : before;
        return name.startsWith("rendered-")
                && StreamSupport.stream(
                                object.path("metadata").path("ownerReferences").spliterator(), false)
                        .anyMatch(owner -> owner.path("kind").asText().equals("MachineConfigPool"));
    }
}
