package dev.gitopsinterlock.testing.cluster;

import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.OncePerRun;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.Metrics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A control plane with OpenShift's and Argo CD's definitions and the service registered in it, shared by the tests of
 * the gate, of which only one runs at a time. No controller runs: a test says what is there, and sends what the
 * machine-config controller would send.
 *
 * @param controlPlane the API server
 * @param interlock the service that it asks
 * @param applications of Namespace argocd
 * @param controller credentials of the machine-config controller
 */
public record OpenShiftCluster(
        ControlPlane controlPlane, Interlock interlock, Applications applications, Path controller)
        implements OncePerRun.Shared {

    private static final String PREFIX = "machineconfiguration.openshift.io/";

    /** Between two tries to send a Node, each of which is a process of its own. */
    private static final Duration ASKING = Duration.ofMillis(300);

    /** One of a test's own, with further settings of the service. */
    public static OpenShiftCluster with(UnaryOperator<Interlock.Builder> settings) {
        var controlPlane = ControlPlane.start();
        controlPlane.addDefinitionsOf("openshift");
        var applications = Applications.in(controlPlane, "argocd");
        var registration = Registration.in(controlPlane);
        var interlock = settings.apply(
                        Interlock.serving(controlPlane.webhookCertificates()).watching(controlPlane))
                .start();
        registration.of(interlock);
        return of(controlPlane, interlock, applications);
    }

    /** What there is of it, where a test makes the parts itself. */
    public static OpenShiftCluster of(ControlPlane controlPlane, Interlock interlock, Applications applications) {
        return new OpenShiftCluster(
                controlPlane,
                interlock,
                applications,
                controlPlane.kubeconfig(MachineConfigController.NAMESPACE, "machine-config-controller"));
    }

    /** A pool that is to have this configuration, with labels in braces; nothing of it is updating. */
    public void pool(String name, String target, String labels) {
        apply("""
                apiVersion: machineconfiguration.openshift.io/v1
                kind: MachineConfigPool
                metadata: {name: "%s", labels: %s}
                spec:
                  configuration: {name: "%s"}
                  machineConfigSelector: {matchExpressions: [{key: %srole, operator: In, values: [worker, "%s"]}]}
                  nodeSelector: {matchLabels: {"node-role.kubernetes.io/%s": ""}}
                """.formatted(name, labels, target, PREFIX, name, name));
        poolStatus(name, "{'machineCount': 2}");
    }

    /** By a merge patch, with single quotes in place of double ones. */
    public void poolStatus(String name, String status) {
        controlPlane
                .kubectl(
                        "patch",
                        "machineconfigpool",
                        name,
                        "--subresource=status",
                        "--type=merge",
                        "-p",
                        ("{'status': " + status + "}").replace('\'', '"'))
                .orFail();
    }

    /** A MachineConfig as the controller renders it, made now. */
    public void rendered(String name) {
        apply("""
                apiVersion: machineconfiguration.openshift.io/v1
                kind: MachineConfig
                metadata: {name: "%s"}
                spec: {}
                """.formatted(name));
    }

    /** A Node that has the configuration and needs nothing. */
    public void node(String name, String configuration, String... roles) {
        var labels = List.of(roles).stream()
                .map(role -> "\"node-role.kubernetes.io/" + role + "\": \"\"")
                .toList();
        apply("""
                apiVersion: v1
                kind: Node
                metadata:
                  name: "%s"
                  labels: {%s}
                  annotations:
                    %scurrentConfig: "%s"
                    %sdesiredConfig: "%s"
                    %sstate: Done
                """.formatted(name, String.join(", ", labels), PREFIX, configuration, PREFIX, configuration, PREFIX));
    }

    public void apply(String manifest) {
        controlPlane.kubectl("apply", "-f", controlPlane.file(manifest)).orFail();
    }

    /** What the controller does to send a Node to a configuration. */
    public Command.Result send(String node, String target, String... flags) {
        return annotate(node, "desiredConfig=" + target, flags);
    }

    /** Sets an annotation of the machine-config operator's, as its controller. */
    public Command.Result annotate(String node, String assignment, String... flags) {
        var arguments = new ArrayList<>(List.of("annotate", "node", node, "--overwrite", PREFIX + assignment));
        arguments.addAll(List.of(flags));
        return controlPlane.kubectlWith(controller, arguments.toArray(String[]::new));
    }

    /** What the refusal says; empty where the Node may go, and is then sent back as if nothing had happened. */
    public Optional<String> refusal(String node, String target) {
        var before = controlPlane
                .admin()
                .nodes()
                .withName(node)
                .require()
                .getMetadata()
                .getAnnotations()
                .get(PREFIX + "desiredConfig");
        var result = send(node, target);
        if (result.exitCode() != 0) {
            return Optional.of(result.err());
        }
        controlPlane
                .kubectl("annotate", "node", node, "--overwrite", PREFIX + "desiredConfig=" + before)
                .orFail();
        return Optional.empty();
    }

    public void awaitHeld(String node, String target) {
        await(node + " held")
                .atMost(Patience.LIMIT)
                .pollInterval(ASKING)
                .until(() -> refusal(node, target)
                        .filter(words -> words.contains("held: "))
                        .isPresent());
    }

    public void awaitOpen(String node, String target) {
        await(node + " open")
                .atMost(Patience.LIMIT)
                .pollInterval(ASKING)
                .until(() -> refusal(node, target).isEmpty());
    }

    /** Waits until the service knows so many syncs that count. */
    public void awaitCounted(int syncs) {
        await(syncs + " syncs counted")
                .atMost(Patience.LIMIT)
                .until(() -> metric("gitops_interlock_syncs_running") == syncs);
    }

    /** The value of the metric, or of the one series that is given whole; 0 where there is none (yet). */
    public double metric(String name) {
        return Metrics.of(interlock.metrics()).sum(name);
    }

    /** Reviews of one path, by the reason of their answer, or its beginning. */
    public double reviews(String endpoint, String reason) {
        return reviews(interlock, endpoint, reason);
    }

    /** The same of a service that stands for itself. */
    public static double reviews(Interlock interlock, String endpoint, String reason) {
        return Metrics.of(interlock.metrics())
                .sum("gitops_interlock_reviews_total", "endpoint=\"" + endpoint + "\"", "reason=\"" + reason);
    }

    /** Notes of the Events on a pool with this reason. */
    public List<String> events(String pool, String reason) {
        return controlPlane
                .kubectl(
                        "-n",
                        "default",
                        "get",
                        "events.events.k8s.io",
                        "-o",
                        "jsonpath={range .items[?(@.regarding.name==\"%s\")]}{.reason} {.note}{\"\\n\"}{end}"
                                .formatted(pool))
                .orFail()
                .out()
                .lines()
                .filter(line -> line.startsWith(reason + " "))
                .map(line -> line.substring(reason.length() + 1))
                .toList();
    }

    @Override
    public void keep() {
        controlPlane.keep();
    }

    @Override
    public void close() {
        interlock.close();
        controlPlane.close();
    }

    /** Starts the cluster with the first test that asks for it and ends it with the run. */
    public static final class Extension extends OncePerRun<OpenShiftCluster> {

        public Extension() {
            super(OpenShiftCluster.class, context -> with(builder -> builder));
        }
    }
}
