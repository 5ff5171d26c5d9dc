package dev.gitopsinterlock.testing.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * An InPlace NodePool of HyperShift in its hosted cluster. What the hosted-cluster-config-operator writes is written as its
 * user, in its order and by its verb: it reads the Node, sets one annotation and replaces the whole ({@code inplaceupgrader.go}
 * and {@code upsert.go} at 3ee9615567ac, 2026-08-22).
 *
 * @param name of the NodePool
 */
public record InPlaceNodePool(OpenShiftCluster cluster, String name) {

    /** The user who sets a Node's desiredConfig. */
    public static final String USER = "system:hosted-cluster-config";

    /** Whose setting it is. */
    public static final String SETTING = "gitops-interlock.in-place-node-pools.controller";

    private static final String PREFIX = "machineconfiguration.openshift.io/";

    /** Gives the service and the operator their rights. */
    public InPlaceNodePool {
        allow(cluster, "service", "get,list,watch", "--serviceaccount=gitops-interlock:gitops-interlock");
        allow(cluster, "operator", "get,update", "--user=" + USER);
    }

    private static void allow(OpenShiftCluster cluster, String who, String verbs, String subject) {
        var role = "nodes-of-" + who;
        cluster.controlPlane()
                .kubectl("create", "clusterrole", role, "--verb=" + verbs, "--resource=nodes")
                .orFail();
        cluster.controlPlane()
                .kubectl("create", "clusterrolebinding", role, "--clusterrole=" + role, subject)
                .orFail();
    }

    /** Makes Nodes that were never sent anywhere, and waits until the service knows them. */
    public void join(String... nodes) {
        for (var node : nodes) {
            cluster.apply("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: "%s", labels: {hypershift.openshift.io/nodePool: "%s"}}
                    """.formatted(node, name));
        }
        await("Nodes known")
                .atMost(Patience.LIMIT)
                .until(() -> cluster.metric("gitops_interlock_cache_kept{cache=\"nodes\"}") == nodes.length);
    }

    /** What the operator does to send a Node to a configuration. */
    public Command.Result send(String node, String hash) {
        return write(node, "desiredConfig", hash);
    }

    /** Sets an annotation of the machine-config operator's, as HyperShift's operator. */
    public Command.Result write(String node, String annotation, String value) {
        var controlPlane = cluster.controlPlane();
        var live = (ObjectNode) Trees.json(controlPlane
                .kubectl("--as=" + USER, "get", "node", node, "-o", "json")
                .orFail()
                .out()
                .getBytes(UTF_8));
        live.withObject("/metadata/annotations").put(PREFIX + annotation, value);
        return controlPlane.kubectl("--as=" + USER, "replace", "-f", controlPlane.file(live.toString()));
    }

    /** The same until it is let go, as the operator does. */
    public void awaitSent(String node, String hash) {
        await(node + " sent")
                .atMost(Patience.LIMIT)
                .until(() -> send(node, hash).exitCode() == 0);
    }

    /** Waits until what is written next has a later time in its managed fields, which are in whole seconds. */
    public void awaitNextSecond() {
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        await("the next second")
                .until(() -> Instant.now().truncatedTo(ChronoUnit.SECONDS).isAfter(now));
    }

    /** What the daemon's Pod writes when it has restarted the Node. */
    public void done(String node, String hash) {
        cluster.controlPlane()
                .kubectl(
                        "annotate",
                        "--overwrite",
                        "node",
                        node,
                        PREFIX + "currentConfig=" + hash,
                        PREFIX + "state=Done")
                .orFail();
    }

    /** Waits until people were told. */
    public void awaitTold(String reason, String words) {
        await(reason)
                .atMost(Patience.LIMIT)
                .until(() -> cluster.events(name, reason).stream().anyMatch(note -> note.contains(words)));
    }
}
