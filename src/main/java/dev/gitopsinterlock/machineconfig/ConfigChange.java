package dev.gitopsinterlock.machineconfig;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.util.Map;
import java.util.function.BiPredicate;
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
        /** Pools select them by their labels. */
        MACHINE_CONFIG(
                OPERATOR,
                "MachineConfig",
                "/spec",
                (object, pool) -> pool.configs().selects(labels(object))),
        /** They select pools, by the labels of these. */
        KUBELET_CONFIG(OPERATOR, "KubeletConfig", "/spec", ConfigChange::selects),
        /** They select pools, by the labels of these. */
        CONTAINER_RUNTIME_CONFIG(OPERATOR, "ContainerRuntimeConfig", "/spec", ConfigChange::selects),
        /** It names the pool whose operating system is built. */
        MACHINE_OS_CONFIG(
                OPERATOR,
                "MachineOSConfig",
                "/spec",
                (object, pool) ->
                        object.at("/spec/machineConfigPool/name").asText().equals(pool.name())),
        /** A file of every Node is made of all of them. */
        IMAGE_DIGEST_MIRROR_SET(CLUSTER, "ImageDigestMirrorSet", "/spec", (object, pool) -> true),
        /** The same. */
        IMAGE_TAG_MIRROR_SET(CLUSTER, "ImageTagMirrorSet", "/spec", (object, pool) -> true),
        /** The same, of that part. */
        IMAGE(CLUSTER, "Image", "/spec/registrySources", (object, pool) -> true);

        private final String group;
        private final String word;
        private final String content;
        private final BiPredicate<JsonNode, Pool> concerns;

        Kind(String group, String word, String content, BiPredicate<JsonNode, Pool> concerns) {
            this.group = group;
            this.word = word;
            this.content = content;
            this.concerns = concerns;
        }

        public String label() {
            return word;
        }

        String groupVersionKind() {
            return group + "/v1/" + word;
        }
    }

    /** Whether the pool is made of the object, or was before. */
    boolean concerns(Pool pool) {
        return Stream.of(before, after).filter(JsonNode::isObject).anyMatch(object -> kind.concerns.test(object, pool));
    }

    private static boolean selects(JsonNode object, Pool pool) {
        return LabelSelector.of(object.at("/spec/machineConfigPoolSelector")).selects(pool.labels());
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
