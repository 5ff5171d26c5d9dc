package dev.gitopsinterlock.testing.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Optional;

/** Objects of the kinds beside Job, as src/test/resources/kinds has them. */
public final class KindSamples {

    private static final String REFUSED = "testbed.gitops-interlock.dev/refused";

    private KindSamples() {}

    /**
     * An object to make.
     *
     * @param refused a JSON patch of it that Kubernetes refuses; empty where there is none
     */
    public record Sample(GuardedKind kind, ObjectNode object, Optional<String> refused) {

        public String name() {
            return object.at("/metadata/name").asText();
        }

        @Override
        public String toString() {
            return kind.name() + " " + name();
        }
    }

    public static List<Sample> of(GuardedKind kind) {
        return Trees.documents("kinds/" + kind.name() + ".yaml").stream()
                .map(document -> sample(kind, document))
                .toList();
    }

    private static Sample sample(GuardedKind kind, JsonNode document) {
        var refused = document.path("metadata").path("annotations").path(REFUSED);
        return new Sample(
                kind, document.deepCopy(), Optional.of(refused.asText()).filter(text -> !text.isEmpty()));
    }

    /** Makes it, with its status, in a Namespace if it is in one. */
    public static void make(ControlPlane kubernetes, String namespace, Sample sample) {
        var object = sample.object().toString();
        var file = kubernetes.file(object);
        kubernetes.kubectl("-n", namespace, "apply", "-f", file).orFail();
        if (!sample.kind().namespaced()) {
            kubernetes.afterClass(() -> kubernetes.admin().resource(object).delete());
        }
        if (sample.object().has("status")) {
            kubernetes
                    .kubectl(
                            "-n",
                            namespace,
                            "apply",
                            "--server-side",
                            "--force-conflicts",
                            "--subresource=status",
                            "-f",
                            file)
                    .orFail();
        }
    }
}
