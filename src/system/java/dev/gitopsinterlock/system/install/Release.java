package dev.gitopsinterlock.system.install;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The chart's release {@code gitops-interlock} in a Namespace of its own. */
final class Release implements AutoCloseable {

    static final String NAME = "gitops-interlock";

    private static final List<String> REGISTRATIONS =
            List.of("mutatingwebhookconfiguration/zz-" + NAME, "validatingwebhookconfiguration/" + NAME);

    private final Platform platform;
    private final Workspace workspace;
    private final Path home;
    private @Nullable Helm installedBy;

    Release(Platform platform, Workspace workspace, Path home) {
        this.platform = platform;
        this.workspace = workspace;
        this.home = home;
    }

    String namespace() {
        return workspace.namespace();
    }

    Command.Result kubectl(String... arguments) {
        return workspace.kubectl(arguments);
    }

    /** Runs a command of Helm's about this release. */
    Command.Result helm(Helm helm, String command, String... flags) {
        var arguments = new ArrayList<>(List.of(command, NAME));
        if (List.of("install", "upgrade").contains(command)) {
            arguments.add(Project.directory().resolve("helm/gitops-interlock").toString());
            arguments.addAll(
                    List.of("--set", "image.repository=" + platform.image().replace(":", ",image.tag=")));
        }
        arguments.addAll(List.of(flags));
        return run(helm, command, arguments);
    }

    /** Installs a chart that is published, as it is. */
    Command.Result installPublished(String chart, String... flags) {
        var arguments = new ArrayList<>(List.of("install", NAME, chart));
        arguments.addAll(List.of(flags));
        return run(Helm.HELM_4, "install", arguments);
    }

    private Command.Result run(Helm helm, String command, List<String> arguments) {
        installedBy = command.equals("uninstall") ? null : helm;
        return helm.run(workspace, home, arguments.toArray(String[]::new));
    }

    /** Waits until the API server has been told to trust the CA of the serving certificate, in both registrations. */
    void awaitTrusted() {
        await("caBundle").atMost(Duration.ofMinutes(1)).until(() -> {
            var authority = decoded(json("secret/" + NAME + "-tls").at("/data/ca.crt"));
            return !authority.isEmpty()
                    && clientConfigs().stream()
                            .allMatch(client -> decoded(client.path("caBundle")).contains(authority));
        });
    }

    /** Has the API server trust another CA, for all webhooks. */
    void replaceTrust(String caBundle) {
        for (var name : REGISTRATIONS) {
            var registration = json(name);
            for (var webhook : registration.path("webhooks")) {
                ((ObjectNode) webhook.path("clientConfig")).put("caBundle", caBundle);
            }
            var file = platform.kubernetes().file(new String(Trees.bytes(registration), UTF_8));
            kubectl("replace", "-f", file).orFail();
        }
    }

    /** As somebody does who wants it out of the way. */
    void deleteRegistrations() {
        REGISTRATIONS.forEach(name -> kubectl("delete", name).orFail());
    }

    /** Puts another pair into one of its Secrets. */
    void replaceSecret(String name, String certificate, String key) {
        var patch = Trees.JSON.createObjectNode();
        patch.putObject("stringData").put("tls.crt", certificate).put("tls.key", key);
        kubectl("patch", "secret", NAME + "-" + name, "--type=merge", "-p", patch.toString())
                .orFail();
    }

    /** What is in one of its Secrets; nothing while there is no such Secret. */
    Map<String, byte[]> entries(String secret) {
        var found = platform.kubernetes()
                .admin()
                .secrets()
                .inNamespace(namespace())
                .withName(NAME + "-" + secret)
                .get();
        return found == null
                ? Map.of()
                : found.getData().entrySet().stream()
                        .collect(toMap(
                                Map.Entry::getKey, entry -> Base64.getDecoder().decode(entry.getValue())));
    }

    /** Of all webhooks. */
    List<JsonNode> clientConfigs() {
        return REGISTRATIONS.stream()
                .map(name -> json(name))
                .flatMap(registration -> registration.path("webhooks").valueStream())
                .map(webhook -> webhook.path("clientConfig"))
                .toList();
    }

    /** Without what is around it: whoever bundles certificates may set them apart as he likes. */
    private static String decoded(JsonNode base64) {
        return new String(Base64.getDecoder().decode(base64.asText()), UTF_8).strip();
    }

    private JsonNode json(String object) {
        return Trees.json(kubectl("get", object, "-o", "json").orFail().out().getBytes(UTF_8));
    }

    Set<String> podNames() {
        return platform.kubernetes().admin().pods().inNamespace(namespace()).list().getItems().stream()
                .map(pod -> pod.getMetadata().getName())
                .collect(toCollection(TreeSet::new));
    }

    /** Waits until none of these Pods is left. */
    void awaitReplaced(Collection<String> pods) {
        await("other Pods").atMost(Duration.ofMinutes(2)).until(() -> Collections.disjoint(podNames(), pods));
    }

    /** Waits until its Pods are those of the last change, and ready. */
    void awaitRolledOut() {
        kubectl("rollout", "status", "deployment/" + NAME, "--timeout=5m").orFail();
    }

    /** What each Pod counts. */
    List<String> metrics() {
        return podNames().stream()
                .map(pod -> kubectl(
                                "get",
                                "--raw",
                                "/api/v1/namespaces/%s/pods/%s:9000/proxy/q/metrics".formatted(namespace(), pod))
                        .out())
                .toList();
    }

    /** The program of one of its Pods, as a process of this machine. */
    ProcessHandle process(String pod) {
        return ProcessHandle.allProcesses()
                .filter(process -> isOf(pod, process.pid()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isOf(String pod, long process) {
        try {
            return Files.readString(Path.of("/proc/" + process + "/environ"), ISO_8859_1)
                    .contains("HOSTNAME=" + pod + "\0");
        } catch (IOException e) {
            return false; // ended, or the kernel's
        }
    }

    /** Its Pods die, and nobody says so: for most of a minute the API still calls them ready. */
    void losePower() {
        signalKubelet("STOP");
        podNames().forEach(pod -> process(pod).destroyForcibly());
    }

    /** From now on Pods are started again, and deleted ones go. */
    void regainPower() {
        signalKubelet("CONT");
    }

    private void signalKubelet(String signal) {
        var kubelet = Long.toString(platform.kubernetes().program("kubelet").pid());
        Command.run(Map.of(), List.of("kill", "-" + signal, kubelet)).orFail();
    }

    /** Everything in its Namespace, but Events. */
    Set<String> objects() {
        return platform.objects(namespace());
    }

    /** Leaves no registration behind for other tests, whatever has failed. */
    @Override
    public void close() {
        if (installedBy != null) {
            helm(installedBy, "uninstall");
        }
    }
}
