package dev.gitopsinterlock.job.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.job.Containers;
import java.util.HashSet;
import java.util.function.Predicate;

/**
 * What a server drops in silence because a feature gate is off, where that is more than a field: the table of immutable
 * fields has the others. Source: DropDisabledPodFields of Kubernetes 1.34; an integration test compares it with the real
 * API server.
 */
public final class DroppedParts {

    private DroppedParts() {}

    /**
     * What a server of any version makes of an edit whose gates are off and whose Job shows nothing else; the edit itself
     * where no server drops anything.
     *
     * @param live a Job that has such parts already keeps them, and gets more: its server's gates are on
     */
    public static JsonNode without(JsonNode edited, JsonNode live) {
        return without(live, KubernetesVersion.V1_34).equals(live) ? without(edited, KubernetesVersion.V1_34) : edited;
    }

    /** A manifest without them, of a server with its gates as they come. The manifest is not changed. */
    public static JsonNode without(JsonNode manifest, KubernetesVersion version) {
        if (version != KubernetesVersion.V1_34 || !areIn(manifest)) {
            return manifest;
        }
        var kept = manifest.deepCopy();
        if (kept.at("/spec/template/spec") instanceof ObjectNode pod) {
            removeRestartPolicies(pod);
            removeImageVolumes(pod);
        }
        return kept;
    }

    private static boolean areIn(JsonNode manifest) {
        var pod = manifest.path("spec").path("template").path("spec");
        return pod.path("initContainers").valueStream().anyMatch(DroppedParts::hasNewRestartPolicy)
                || pod.path("volumes").valueStream().anyMatch(DroppedParts::hasImage);
    }

    /** Before ContainerRestartRules an init container had one restart policy. */
    private static boolean hasNewRestartPolicy(JsonNode init) {
        return init.hasNonNull("restartPolicy")
                && !init.path("restartPolicy").asText().equals("Always");
    }

    private static void removeRestartPolicies(ObjectNode pod) {
        for (var container : pod.path("initContainers")) {
            if (container instanceof ObjectNode init && hasNewRestartPolicy(init)) {
                init.remove("restartPolicy");
            }
        }
    }

    /** They go as a whole, and so do all mounts of their names; not other volumes, even of the same names. */
    private static void removeImageVolumes(ObjectNode pod) {
        var images = new HashSet<String>();
        for (var volume : pod.path("volumes")) {
            if (hasImage(volume)) {
                images.add(volume.path("name").asText());
            }
        }
        removeFrom(pod, "volumes", DroppedParts::hasImage);
        for (var list : Containers.LISTS) {
            for (var container : pod.path(list)) {
                removeFrom(
                        container,
                        "volumeMounts",
                        mount -> images.contains(mount.path("name").asText()));
            }
        }
    }

    private static boolean hasImage(JsonNode volume) {
        return volume.hasNonNull("image");
    }

    private static void removeFrom(JsonNode parent, String list, Predicate<JsonNode> which) {
        if (parent.path(list) instanceof ArrayNode items) {
            for (var each = items.elements(); each.hasNext(); ) {
                if (which.test(each.next())) {
                    each.remove();
                }
            }
        }
    }
}
