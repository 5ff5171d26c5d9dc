package dev.gitopsinterlock.testing.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.text.Project;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The test bed's stand-in for OpenShift's machine-config controller and daemons, as a process of its own with the
 * accounts of the real ones. All it knows is in the API: it can be closed and started again at any time.
 */
public final class MachineConfigController implements AutoCloseable {

    public static final String NAMESPACE = "openshift-machine-config-operator";

    /** The user who sets a node's desiredConfig. */
    public static final String USER = "system:serviceaccount:" + NAMESPACE + ":machine-config-controller";

    private static final String CONTROLLER = "machine-config-controller";
    private static final String DAEMON = "machine-config-daemon";

    private final Process process;
    private final Path log;

    private MachineConfigController(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Installs OpenShift's definitions if need be, starts it, and waits until it has seen all objects.
     *
     * @param pace by which all waits are multiplied: at 1 a node is told after about ten seconds, as in OpenShift
     */
    public static MachineConfigController start(ControlPlane controlPlane, double pace) {
        return start(controlPlane, controlPlane.server(), pace);
    }

    /** The same with another address, behind which the API server is. */
    public static MachineConfigController start(ControlPlane controlPlane, String server, double pace) {
        controlPlane.addDefinitionsOf("openshift");
        allow(controlPlane, CONTROLLER, List.of("*"));
        allow(controlPlane, DAEMON, List.of("get", "list", "watch"));
        return run(
                pace,
                "--kubeconfig=" + controlPlane.plainKubeconfig(server, NAMESPACE, CONTROLLER),
                "--daemon-kubeconfig=" + controlPlane.plainKubeconfig(server, NAMESPACE, DAEMON));
    }

    /** The daemons alone, where another controller runs, whose definitions are installed. */
    static MachineConfigController daemons(ControlPlane controlPlane, double pace) {
        allow(controlPlane, DAEMON, List.of("get", "list", "watch"));
        return run(
                pace,
                "--controller=false",
                "--kubeconfig=" + controlPlane.plainKubeconfig(controlPlane.server(), NAMESPACE, DAEMON));
    }

    private static MachineConfigController run(double pace, String... flags) {
        try {
            var logs = Files.createDirectories(Project.directory().resolve("target/machine-config-logs"));
            var log = Files.createTempFile(logs, "controller-", ".log");
            var command = new ArrayList<>(List.of(
                    Project.directory().resolve("testbed/testbed").toString(),
                    "machine-config-controller",
                    "--until-stdin-closes",
                    "--pace=" + pace));
            command.addAll(List.of(flags));
            var process =
                    new ProcessBuilder(command).redirectError(log.toFile()).start();
            var controller = new MachineConfigController(process, log);
            var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
            if (!"READY=true".equals(out.readLine())) {
                throw new IllegalStateException("the stand-in ended before it was ready: " + controller.log());
            }
            return controller;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it does, and word for word why it was refused, one line each. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("the stand-in does not end: " + log());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }

    /** What the accounts may do in OpenShift, as far as it is about nodes and their configuration. */
    private static void allow(ControlPlane controlPlane, String account, List<String> verbs) {
        var role = new ClusterRoleBuilder()
                .withNewMetadata()
                .withName(account)
                .endMetadata()
                .addNewRule()
                .withApiGroups("")
                .withResources("nodes")
                .withVerbs("get", "list", "watch", "patch")
                .endRule()
                .addNewRule()
                .withApiGroups("machineconfiguration.openshift.io")
                .withResources("*")
                .withVerbs(verbs)
                .endRule()
                .build();
        var binding = new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(account)
                .endMetadata()
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", account)
                .addNewSubject(null, "ServiceAccount", account, NAMESPACE)
                .build();
        for (var object : List.<HasMetadata>of(role, binding)) {
            var resource = controlPlane.admin().resource(object);
            resource.createOr(NonDeletingOperation::update);
            controlPlane.afterClass(resource::delete);
        }
    }
}
