package dev.gitopsinterlock.system.install;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.text.Project;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Pod with one container, run as its spec says: command, environment, ports, mounted Secrets and token, read-only root,
 * a user without rights, probes; where there are no namespaces, in this machine's root and as the user of the tests. Two
 * things are unlike a cluster: the service is told to listen on the Pod's address alone,
 * because Pods share a network here, and nothing limits memory and CPU.
 */
final class RunningPod {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration BETWEEN_REFRESHES = Duration.ofSeconds(1);

    private final ControlPlane kubernetes;
    private final Pod pod;
    private final String address;
    private final String listening;
    private final Map<Volume, MountedSecret> mounts;
    private final Map<Volume, Map<String, byte[]>> mounted = new HashMap<>();
    private final Process process;
    private final Path log;

    private Instant refreshed = Instant.now();
    private boolean stopping;

    private RunningPod(
            ControlPlane kubernetes,
            Pod pod,
            int number,
            Map<Volume, MountedSecret> mounts,
            Process process,
            Path log) {
        this.kubernetes = kubernetes;
        this.pod = pod;
        address = kubernetes.podAddresses() + number;
        listening = kubernetes.podsListenOn() + number;
        this.mounts = mounts;
        this.process = process;
        this.log = log;
        Thread.ofPlatform().name("probes of " + address).daemon().start(this::probe);
    }

    /** Empty while something that it mounts is missing. */
    static Optional<RunningPod> start(ControlPlane kubernetes, Pod pod, Image image, PodAddresses addresses) {
        var volumes = new LinkedHashMap<Volume, Map<String, byte[]>>();
        for (var volume : pod.getSpec().getVolumes()) {
            var content = content(kubernetes, pod, volume);
            if (content.isEmpty()) {
                return Optional.empty();
            }
            volumes.put(volume, content);
        }
        var number = addresses.next();
        try {
            var mounts = new LinkedHashMap<Volume, MountedSecret>();
            volumes.forEach((volume, content) -> mounts.put(volume, MountedSecret.of(content)));
            var logs = Files.createDirectories(Project.directory().resolve("target/pod-logs"));
            var log = Files.createTempFile(logs, pod.getMetadata().getName() + "-", ".log");
            var process = new ProcessBuilder(command(pod, image, mounts, environment(kubernetes, pod, image, number)))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            var running = new RunningPod(kubernetes, pod, number, mounts, process, log);
            running.mounted.putAll(volumes);
            return Optional.of(running);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(
            Pod pod, Image image, Map<Volume, MountedSecret> mounts, Map<String, String> environment) {
        var container = container(pod);
        var folders = new LinkedHashMap<>(image.mounts());
        for (var mount : container.getVolumeMounts()) {
            mounts.forEach((volume, files) -> {
                if (volume.getName().equals(mount.getName())) {
                    folders.put(mount.getMountPath(), files.directory());
                }
            });
        }
        var command = new ArrayList<>(
                List.of(Project.directory().resolve("testbed/testbed").toString(), "container"));
        if (image.root().isPresent()) {
            command.addAll(List.of("--root", image.root().get().toString()));
            folders.forEach((path, folder) -> command.addAll(List.of("--mount", folder + ":" + path)));
            environment.forEach((name, value) -> command.addAll(List.of("--env", name + "=" + value)));
        } else {
            command.add("--bare");
            withoutMounts(environment, folders)
                    .forEach((name, value) -> command.addAll(List.of("--env", name + "=" + value)));
        }
        command.addAll(image.command(container.getCommand(), container.getArgs()));
        return command;
    }

    /** The same variables where nothing can be mounted, so that a setting has to name the folder itself. */
    private static Map<String, String> withoutMounts(Map<String, String> environment, Map<String, Path> folders) {
        var variables = new LinkedHashMap<>(environment);
        variables.replaceAll(
                (name, value) -> folders.containsKey(value) ? folders.get(value).toString() : value);
        var account = Objects.requireNonNull(folders.get("/var/run/secrets/kubernetes.io/serviceaccount"));
        variables.put(
                "KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN", account.resolve("token").toString());
        variables.put("KUBERNETES_CERTS_CA_FILE", account.resolve("ca.crt").toString());
        variables.put("KUBENAMESPACE", account.resolve("namespace").toString());
        return variables;
    }

    private static Map<String, String> environment(ControlPlane kubernetes, Pod pod, Image image, int number) {
        var environment = new LinkedHashMap<>(image.environment());
        var server = URI.create(kubernetes.server());
        environment.put("KUBERNETES_SERVICE_HOST", server.getHost());
        environment.put("KUBERNETES_SERVICE_PORT", Integer.toString(server.getPort()));
        for (var variable : container(pod).getEnv()) {
            var value = variable.getValue();
            if (variable.getValueFrom() != null) {
                var reference = variable.getValueFrom().getSecretKeyRef();
                var entries = Node.entries(kubernetes, pod.getMetadata().getNamespace(), reference.getName());
                value = new String(Objects.requireNonNull(entries.get(reference.getKey())), UTF_8);
            }
            environment.put(variable.getName(), value);
        }
        environment.put("QUARKUS_HTTP_HOST", kubernetes.podsListenOn() + number);
        environment.put("QUARKUS_MANAGEMENT_HOST", kubernetes.podsListenOn() + number);
        return environment;
    }

    /** Empty while it is missing. */
    private static Map<String, byte[]> content(ControlPlane kubernetes, Pod pod, Volume volume) {
        var namespace = pod.getMetadata().getNamespace();
        if (volume.getSecret() != null) {
            return Node.entries(kubernetes, namespace, volume.getSecret().getSecretName());
        }
        var files = new LinkedHashMap<String, byte[]>();
        for (var source : volume.getProjected().getSources()) {
            if (source.getServiceAccountToken() != null) {
                files.put(
                        source.getServiceAccountToken().getPath(),
                        token(kubernetes, pod).getBytes(UTF_8));
            } else if (source.getConfigMap() != null) {
                var reference = source.getConfigMap();
                var config = kubernetes
                        .admin()
                        .configMaps()
                        .inNamespace(namespace)
                        .withName(reference.getName())
                        .get();
                if (config == null) {
                    return Map.of();
                }
                for (var item : reference.getItems()) {
                    var text = Objects.requireNonNull(config.getData().get(item.getKey()), item::getKey);
                    files.put(item.getPath(), text.getBytes(UTF_8));
                }
            } else {
                source.getDownwardAPI().getItems().forEach(item -> {
                    if (!"metadata.namespace".equals(item.getFieldRef().getFieldPath())) {
                        throw new AssertionError("not known here: " + item);
                    }
                    files.put(item.getPath(), namespace.getBytes(UTF_8));
                });
            }
        }
        return files;
    }

    private static String token(ControlPlane kubernetes, Pod pod) {
        return kubernetes
                .admin()
                .serviceAccounts()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getSpec().getServiceAccountName())
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(3607L)
                        .withNewBoundObjectRef()
                        .withApiVersion("v1")
                        .withKind("Pod")
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .endBoundObjectRef()
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }

    /** Puts what has changed in a Secret into its files; a Secret that is gone leaves them as they are. */
    synchronized void refreshMounts() {
        if (refreshed.plus(BETWEEN_REFRESHES).isAfter(Instant.now())) {
            return;
        }
        refreshed = Instant.now();
        mounts.forEach((volume, files) -> {
            if (volume.getSecret() == null) {
                return;
            }
            var content = content(kubernetes, pod, volume);
            var before = mounted.getOrDefault(volume, Map.of());
            boolean same = content.keySet().equals(before.keySet())
                    && content.entrySet().stream()
                            .allMatch(entry -> java.util.Arrays.equals(entry.getValue(), before.get(entry.getKey())));
            if (!content.isEmpty() && !same) {
                files.update(content);
                mounted.put(volume, content);
            }
        });
    }

    private void probe() {
        try {
            var container = container(pod);
            if (container.getStartupProbe() == null) {
                awaitEnd();
                return;
            }
            boolean started = awaitStarted(container.getStartupProbe());
            if (started) {
                var live = Thread.ofPlatform().daemon().start(() -> watchLife(container.getLivenessProbe()));
                watchReadiness(container.getReadinessProbe());
                live.interrupt();
            } else {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A Pod that is not asked anything runs until it ends. */
    private void awaitEnd() throws InterruptedException {
        int code = process.waitFor();
        var state = new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(code)
                .withReason(code == 0 ? "Completed" : "Error")
                .withMessage(log())
                .endTerminated()
                .build();
        for (int i = 0; i < 30 && !report(code == 0 ? "Succeeded" : "Failed", false, state); i++) {
            Thread.sleep(Duration.ofSeconds(1));
        }
    }

    private boolean awaitStarted(Probe probe) throws InterruptedException {
        for (int i = 0; i < probe.getFailureThreshold() && process.isAlive(); i++) {
            if (answers(probe)) {
                return true;
            }
            Thread.sleep(Duration.ofSeconds(probe.getPeriodSeconds()));
        }
        return false;
    }

    private void watchReadiness(Probe probe) throws InterruptedException {
        boolean reported = false;
        for (int failures = 0; process.isAlive(); Thread.sleep(Duration.ofSeconds(probe.getPeriodSeconds()))) {
            failures = answers(probe) ? 0 : failures + 1;
            boolean ready = failures == 0 || (reported && failures < probe.getFailureThreshold());
            if (ready != reported && report(ready)) {
                reported = ready;
            }
        }
    }

    private void watchLife(Probe probe) {
        try {
            for (int failures = 0; process.isAlive() && failures < probe.getFailureThreshold(); ) {
                Thread.sleep(Duration.ofSeconds(probe.getPeriodSeconds()));
                failures = answers(probe) ? 0 : failures + 1;
            }
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean answers(Probe probe) throws InterruptedException {
        var get = probe.getHttpGet();
        var timeout = Duration.ofSeconds(probe.getTimeoutSeconds());
        try {
            var url = "http://%s:%d%s".formatted(listening, port(get.getPort().getStrVal()), get.getPath());
            var request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(timeout).build();
            int status = HTTP.send(request, BodyHandlers.discarding()).statusCode();
            return status >= 200 && status < 400;
        } catch (IOException e) {
            return false;
        }
    }

    private int port(String name) {
        return container(pod).getPorts().stream()
                .filter(port -> port.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getContainerPort();
    }

    /** False if the API server did not take it. */
    private boolean report(boolean ready) {
        return report(
                "Running",
                ready,
                new ContainerStateBuilder().withNewRunning().endRunning().build());
    }

    private boolean report(String phase, boolean ready, ContainerState state) {
        var container = container(pod);
        var status = ready ? "True" : "False";
        try {
            kubernetes
                    .admin()
                    .pods()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .withName(pod.getMetadata().getName())
                    .editStatus(live -> new PodBuilder(live)
                            .editOrNewStatus()
                            .withPhase(phase)
                            .withContainerStatuses(new ContainerStatusBuilder()
                                    .withName(container.getName())
                                    .withImage(container.getImage())
                                    .withImageID(container.getImage())
                                    .withReady(ready)
                                    .withRestartCount(0)
                                    .withState(state)
                                    .build())
                            .withPodIP(address)
                            .withHostIP(kubernetes.podAddresses() + "1")
                            .withStartTime(Instant.now().toString())
                            .withPodIPs()
                            .addNewPodIP(address)
                            .withConditions(Stream.of("PodScheduled", "Initialized", "ContainersReady", "Ready")
                                    .map(type -> new PodConditionBuilder()
                                            .withType(type)
                                            .withStatus(type.endsWith("eady") ? status : "True")
                                            .withLastTransitionTime(
                                                    Instant.now().toString())
                                            .build())
                                    .toList())
                            .endStatus()
                            .build());
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Asks the program to end, once, and insists when the time is over. */
    synchronized void stop(long gracePeriodSeconds) {
        if (!stopping) {
            stopping = true;
            // not by the process itself, which would close stdin too: that ends a container at once
            process.toHandle().destroy();
            process.onExit()
                    .orTimeout(gracePeriodSeconds, java.util.concurrent.TimeUnit.SECONDS)
                    .exceptionally(late -> process.destroyForcibly());
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    boolean hasEnded() {
        return !process.isAlive();
    }

    String name() {
        return pod.getMetadata().getName();
    }

    /** What its container has printed. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String metrics() {
        try {
            var url = URI.create("http://%s:%d/q/metrics".formatted(listening, port("management")));
            var request = HttpRequest.newBuilder(url).timeout(Duration.ofSeconds(10));
            return HTTP.send(request.build(), BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Container container(Pod pod) {
        return pod.getSpec().getContainers().getFirst();
    }
}
