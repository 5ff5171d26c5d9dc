package dev.gitopsinterlock.system.rollout;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.text.Trees;
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
     * @param from revision with which it was there
     * @param known after that
     * @param to revision with which it had ended
     */
    record Work(String name, String node, long from, Instant known, long to) {

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
        var revision = revision(controlPlane
                .kubectl("create", "-n", NAMESPACE, "-o", "json", "-f", controlPlane.file("""
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
                        """.formatted(name, node)))
                .orFail()
                .out());
        running.put(name, new Work(name, node, revision, Instant.now(), Long.MAX_VALUE));
    }

    synchronized void end(String name) {
        var revision = revision(controlPlane
                .kubectl(
                        "patch",
                        "pod",
                        name,
                        "-n",
                        NAMESPACE,
                        "--subresource=status",
                        "--type=merge",
                        "-o",
                        "json",
                        "-p",
                        "{\"status\": {\"phase\": \"Succeeded\"}}")
                .orFail()
                .out());
        var work = Optional.ofNullable(running.remove(name)).orElseThrow();
        ended.add(new Work(name, work.node(), work.from(), work.known(), revision));
    }

    /** When all have ended. */
    synchronized List<Work> ended() {
        if (!running.isEmpty()) {
            throw new IllegalStateException("still running: " + running.keySet());
        }
        return List.copyOf(ended);
    }

    void clear() {
        controlPlane
                .kubectl("delete", "pods", "--all", "-n", NAMESPACE, "--force", "--grace-period=0")
                .orFail();
    }

    private static long revision(String pod) {
        return Long.parseLong(Trees.json(pod).at("/metadata/resourceVersion").asText());
    }
}
