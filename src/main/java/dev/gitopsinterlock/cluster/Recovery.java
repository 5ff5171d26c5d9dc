package dev.gitopsinterlock.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Effect.Order;
import dev.gitopsinterlock.cluster.CarryOutIdentity.Mode;
import dev.gitopsinterlock.cluster.Identity.Impossible;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.job.CarryOutScope;
import dev.gitopsinterlock.logging.OncePerMinute;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Finishes replacements that were interrupted, by whichever replica: where the old Job is gone and its name is free, the
 * new one is created, in the same name as it would have been. However many replicas do that at once, the name makes it
 * one Job. An intent goes once somebody's Job has the name.
 */
@Singleton
final class Recovery {

    private static final Logger LOG = Logger.getLogger(Recovery.class);

    /** Longer than a replacement that nothing holds up takes after its intent is written. */
    private static final Duration INTERRUPTED = Duration.ofSeconds(5);

    /** Longer than any request may take: whoever wrote the intent deletes nothing any more. */
    private static final Duration ABANDONED = Duration.ofSeconds(60);

    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final KubernetesApi api;
    private final KubernetesClient client;
    private final CarryOutIdentity identities;
    private final Intents intents;
    private final JobCreation creation;
    private final MeterRegistry metrics;
    private final Duration interrupted;
    private final boolean isOn;
    private final Watched<Kept> kept;
    /** Intents whose Jobs were not there when they were last looked at. */
    private final Set<String> absent = new HashSet<>();

    private final OncePerMinute complaints = new OncePerMinute(InstantSource.system());
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("job-recovery").factory());

    /**
     * An intent.
     *
     * @param since when this replica first saw it, of System.nanoTime: the clocks of a cluster do not agree
     */
    private record Kept(String name, long since) {

        Duration age() {
            return Duration.ofNanos(System.nanoTime() - since);
        }
    }

    Recovery(
            KubernetesApi api,
            KubernetesClient client,
            CarryOutIdentity identities,
            Intents intents,
            JobCreation creation,
            MeterRegistry metrics,
            Settings settings) {
        this.api = api;
        this.client = client;
        this.identities = identities;
        this.intents = intents;
        this.creation = creation;
        this.metrics = metrics;
        this.interrupted = settings.effects().settle().plus(INTERRUPTED);
        this.isOn = settings.levels().carryOut() instanceof CarryOutScope.On;
        this.kept = new Watched<>(
                new ResourceDefinitionContext.Builder()
                        .withVersion("v1")
                        .withKind("Secret")
                        .withPlural("secrets")
                        .withNamespaced(true)
                        .build(),
                secret -> Optional.of(new Kept(secret.getMetadata().getName(), System.nanoTime())));
    }

    /** Not on the start's own thread: an API server that is away must not keep the port closed. */
    void start(@Observes StartupEvent event) {
        if (isOn) {
            clock.execute(() -> kept.startIn(api.ownNamespace(), Intents.LABEL, client));
            var _ = clock.scheduleWithFixedDelay(
                    this::lookAfterAll, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        clock.shutdownNow();
        kept.stop();
    }

    /** A scheduled task that throws is never run again. */
    private void lookAfterAll() {
        if (identities.mode() instanceof Mode.Not) {
            return;
        }
        var all = kept.all();
        absent.retainAll(all.stream().map(Kept::name).toList());
        for (var intent : all) {
            if (intent.age().compareTo(interrupted) >= 0 && !intents.isInHand(intent.name())) {
                try {
                    lookAfter(intent);
                } catch (IOException | RuntimeException e) {
                    complain("replacement not finished yet: intent=%s".formatted(intent.name()), e);
                }
            }
        }
    }

    private void lookAfter(Kept intent) throws IOException {
        var order = intents.read(intent.name(), PATIENCE);
        if (order.isEmpty()) {
            return;
        }
        var job = api.getJob(order.get().job(), PATIENCE);
        if (job.status() == 404) {
            // seen twice: another replacement of the same Job may be between its deletion and its creation
            if (!absent.add(intent.name())) {
                finish(intent, order.get());
            }
            return;
        }
        absent.remove(intent.name());
        if (!job.isSuccess()) {
            throw new IOException("HTTP status " + job.status());
        }
        if (!isOld(job.body(), order.get()) || intent.age().compareTo(ABANDONED) > 0) {
            intents.drop(intent.name());
        }
    }

    private static boolean isOld(JsonNode job, Order order) {
        return job.path("metadata").path("uid").asText().equals(order.uid());
    }

    private void finish(Kept intent, Order order) throws IOException {
        var identity = identities.of(order.requester());
        if (identity instanceof Impossible(var why)) {
            throw new IOException(why);
        }
        var answer = creation.create(order, identity, PATIENCE);
        if (answer.isSuccess()) {
            metrics.counter("gitops.interlock.recoveries", "outcome", "done").increment();
            LOG.infof("interrupted replacement finished: job=%s", order.job());
        } else if (answer.isTransient()) {
            throw new IOException("HTTP status " + answer.status());
        } else if (!answer.alreadyExists()) {
            metrics.counter("gitops.interlock.recoveries", "outcome", "refused").increment();
            LOG.warnf(
                    "job %s was deleted by a replacement that was interrupted, and cannot be created anew: HTTP status %d; apply it again",
                    order.job(), answer.status());
        }
        intents.drop(intent.name());
    }

    private void complain(String line, Exception failure) {
        LOG.debug(line, failure);
        complaints
                .next()
                .ifPresent(
                        heldBack -> LOG.warnf("%s: %s (and %d more unlogged)", line, failure.getMessage(), heldBack));
    }
}
