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

    /** What can be changed to make pools roll out. */
    public enum Kind {
        /** Pools select them by their labels. */
        MACHINE_CONFIG("MachineConfig"),
        /** They select pools, by the labels of these. */
        KUBELET_CONFIG("KubeletConfig"),
        /** They select pools, by the labels of these. */
        CONTAINER_RUNTIME_CONFIG("ContainerRuntimeConfig");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String label() {
            return word;
        }
    }

    /** Whether the pool is made of the object, or was before. */
    boolean concerns(Pool pool) {
        return Stream.of(before, after).filter(JsonNode::isObject).anyMatch(object -> switch (kind) {
            case MACHINE_CONFIG -> pool.configs().selects(labels(object));
            case KUBELET_CONFIG, CONTAINER_RUNTIME_CONFIG ->
                LabelSelector.of(object.path("spec").path("machineConfigPoolSelector"))
                        .selects(pool.labels());
        });
    }

    private static Map<String, String> labels(JsonNode object) {
        return ObjectMeta.texts(ObjectMeta.labels(object));
    }

    /** Whether anything that pools are made of differs. */
    boolean changesContent() {
        return operation != Operation.UPDATE
                || !before.path("spec").equals(after.path("spec"))
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
