package dev.gitopsinterlock.system.rollout;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The marked work on Nodes in a run, each a Pod as a Job would make it, and when each one counted. */
final class Jobs {

    private static final String NAMESPACE = "default";

    /**
     * A time during which its Node may not begin.
     *
     * @param known when it was there; a patch that was under way then may have been looked at before
     * @param from revision after that
     * @param to revision with which it had ended
     */
    record Work(String name, String node, Instant known, long from, long to) {

        boolean covers(String other, long revision) {
            return node.equals(other) && from < revision && revision < to;
        }
    }

    private final ControlPlane controlPlane;
    private final Map<String, Work> running = new LinkedHashMap<>();
    private final List<Work> ended = new ArrayList<>();

    Jobs(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
    }

    synchronized void begin(String name, String node) {
        var pod = controlPlane
                .admin()
                .pods()
                .inNamespace(NAMESPACE)
                .resource(Serialization.unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: "%s"
                  labels: {gitops-interlock.dev/hold-restarts: "true", testbed.gitops-interlock.dev/outcome: run}
                spec:
                  nodeName: "%s"
                  restartPolicy: Never
                  tolerations: [{operator: Exists}]
                  containers: [{name: work, image: registry.example/work:1}]
                """.formatted(name, node), Pod.class));
        pod.create();
        var known = Instant.now();
        running.put(name, new Work(name, node, known, controlPlane.revision(), Long.MAX_VALUE));
    }

    synchronized void end(String name) {
        var revision = revision(controlPlane
                .admin()
                .pods()
                .inNamespace(NAMESPACE)
                .withName(name)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": {\"phase\": \"Succeeded\"}}"));
        var work = Optional.ofNullable(running.remove(name)).orElseThrow();
        ended.add(new Work(name, work.node(), work.known(), work.from(), revision));
    }

    /** When all have ended. */
    synchronized List<Work> ended() {
        if (!running.isEmpty()) {
            throw new IllegalStateException("still running: " + running.keySet());
        }
        return List.copyOf(ended);
    }

    void clear() {
        controlPlane.admin().pods().inNamespace(NAMESPACE).withGracePeriod(0).delete();
    }

    private static long revision(Pod pod) {
        return Long.parseLong(pod.getMetadata().getResourceVersion());
    }
}
