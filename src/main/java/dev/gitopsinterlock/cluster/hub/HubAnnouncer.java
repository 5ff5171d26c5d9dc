package dev.gitopsinterlock.cluster.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.cluster.cache.ClusterWatch;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.logging.LogRateLimiter;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Tells each cluster of the hub's syncs that go there. Clusters are the files of a directory, as a mounted Secret has them:
 * each is a kubeconfig and has the cluster's name in Argo CD. In memory only.
 */
@Singleton
final class HubAnnouncer {

    private static final Logger LOG = Logger.getLogger(HubAnnouncer.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Of looks at syncs, how many come before the files are looked at again. */
    private static final int READING = 10;

    private final Optional<Path> directory;
    private final GatePolicy policy;
    private final ClusterWatch watch;
    private final KubernetesClient client;
    private final ProcessClock clock;
    private final MeterRegistry metrics;

    private final Map<String, ManagedCluster> clusters = new ConcurrentHashMap<>();
    private Map<String, String> files = Map.of();
    private int looks;

    private final LogRateLimiter complaints = new LogRateLimiter(InstantSource.system());
    private final ScheduledExecutorService rounds = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("hub").factory());

    HubAnnouncer(
            Settings settings, ClusterWatch watch, KubernetesClient client, ProcessClock clock, MeterRegistry metrics) {
        this.directory = settings.hub();
        this.policy = settings.gate();
        this.watch = watch;
        this.client = client;
        this.clock = clock;
        this.metrics = metrics;
    }

    void start(@Observes StartupEvent event) {
        directory.ifPresent(kubeconfigs -> {
            var _ = rounds.scheduleWithFixedDelay(
                    () -> look(kubeconfigs), 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        });
    }

    void stop(@Observes ShutdownEvent event) {
        rounds.shutdownNow();
        clusters.values().forEach(ManagedCluster::close);
    }

    /** Must not throw, or it would never be called again. */
    private void look(Path kubeconfigs) {
        try {
            if (looks++ % READING == 0) {
                update(read(kubeconfigs));
            }
            // while nobody knows which run, nobody is told, and what was announced expires
            watch.syncs()
                    .map(this::counted)
                    .ifPresent(syncs -> clusters.values().forEach(cluster -> cluster.tell(syncs)));
        } catch (IOException | RuntimeException e) {
            complaints.warn(LOG, "syncs cannot be announced: " + e);
        }
    }

    private List<RunningSync> counted(List<RunningSync> syncs) {
        var now = clock.now();
        return syncs.stream()
                .filter(sync -> sync.kind() == RunningSync.Kind.APPLICATION
                        && policy.scope().counts(sync, now))
                .toList();
    }

    /** What is no kubeconfig is told of once, and is no cluster. */
    private void update(Map<String, String> found) {
        if (found.equals(files) && looks > 1) {
            return;
        }
        for (var name : List.copyOf(clusters.keySet())) {
            if (!found.getOrDefault(name, "").equals(files.get(name))) {
                Objects.requireNonNull(clusters.remove(name)).close();
            }
        }
        for (var file : found.entrySet()) {
            if (!file.getValue().equals(files.get(file.getKey()))) {
                add(file.getKey(), file.getValue());
            }
        }
        files = found;
        LOG.infof("syncs are announced in clusters: %d", clusters.size());
    }

    private void add(String name, String text) {
        var serialization = client.getKubernetesSerialization();
        try {
            Kubeconfig.of(name, text, serialization)
                    .ifPresent(kubeconfig ->
                            clusters.put(name, new ManagedCluster(name, kubeconfig, serialization, clock, metrics)));
        } catch (RuntimeException e) {
            LOG.debugf("kubeconfig of cluster %s: %s", name, e.getClass().getName()); // its words can have a token
        }
        if (!clusters.containsKey(name)) {
            LOG.warnf(
                    "what is meant for cluster %s is no kubeconfig that can be used: it needs a current context, and a token or a"
                            + " client certificate in place of a command",
                    name);
        }
    }

    /** By their names; what begins with a dot is how a Secret is mounted. */
    private static Map<String, String> read(Path directory) throws IOException {
        var found = new TreeMap<String, String>();
        if (Files.isDirectory(directory)) {
            try (var entries = Files.newDirectoryStream(directory, "[!.]*")) {
                for (var file : entries) {
                    found.put(file.getFileName().toString(), new String(Files.readAllBytes(file), UTF_8));
                }
            }
        }
        return found;
    }
}
