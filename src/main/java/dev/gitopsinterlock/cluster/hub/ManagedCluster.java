package dev.gitopsinterlock.cluster.hub;

import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.announced.Announcement;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.logging.LogRateLimiter;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** A cluster that syncs are announced in, by a client and on a thread of its own: one that does not answer delays no other. */
final class ManagedCluster implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(ManagedCluster.class);
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final String name;
    private final Kubeconfig kubeconfig;
    private final KubernetesClient client;
    private final LeaseWriter writer;
    private final MeterRegistry registry;
    private final Gauge leases;
    private final Counter failures;
    private final LogRateLimiter complaints = new LogRateLimiter(InstantSource.system());
    private final Semaphore changes = new Semaphore(0);
    private final Thread thread;

    ManagedCluster(
            String name,
            Kubeconfig kubeconfig,
            KubernetesSerialization serialization,
            ProcessClock clock,
            MeterRegistry registry) {
        this.name = name;
        this.kubeconfig = kubeconfig;
        this.client = new KubernetesClientBuilder()
                .withConfig(kubeconfig.config())
                .withKubernetesSerialization(serialization)
                .build();
        this.writer = new LeaseWriter(KubernetesApi.by(client, clock), clock);
        this.registry = registry;
        this.leases = Gauge.builder("gitops.interlock.hub.leases", writer::size)
                .description("Leases that this replica keeps in a cluster that syncs of the hub go to")
                .tag("cluster", name)
                .register(registry);
        this.failures = Counter.builder("gitops.interlock.hub.write.failures")
                .description("Tries to keep them that failed")
                .tag("cluster", name)
                .register(registry);
        this.thread = Thread.ofVirtual().name("hub-" + name).start(this::run);
    }

    /** To be told again and again which syncs run and count, wherever they go. */
    void tell(List<RunningSync> syncs) {
        var ours = Announcement.of(
                syncs.stream().filter(sync -> sync.destination().isAmong(kubeconfig.names(), kubeconfig.servers())));
        if (writer.want(ours)) {
            changes.release();
        }
    }

    private void run() {
        try {
            while (true) {
                var pause = keep() ? LeaseWriter.RENEWAL : RETRY;
                var _ = changes.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS);
                changes.drainPermits();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private boolean keep() {
        try {
            writer.keep();
            return true;
        } catch (IOException | RuntimeException e) {
            if (!Thread.currentThread().isInterrupted()) {
                failures.increment();
                complaints.warn(
                        LOG,
                        "syncs cannot be announced in cluster %s, whose rollouts do not wait for them: %s"
                                .formatted(name, words(e)));
            }
            return false;
        }
    }

    /** What others than clusters and networks say of a failure could have a token in it. */
    private static String words(Exception e) {
        return e instanceof IOException
                ? Wording.printable(String.valueOf(e.getMessage()))
                : e.getClass().getName();
    }

    /** Leaves its Leases to other replicas, or to expire. */
    @Override
    public void close() {
        thread.interrupt();
        client.close();
        registry.remove(leases);
        registry.remove(failures);
    }
}
