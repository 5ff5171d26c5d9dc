package dev.gitopsinterlock.cluster.rollouts;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.cluster.cache.ClusterWatch;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.gate.HoldMemory;
import dev.gitopsinterlock.gate.RestartMakers;
import dev.gitopsinterlock.gate.Rollout;
import dev.gitopsinterlock.gate.RolloutHeld;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Watches over the rollouts that this replica has refused, or would have, until they go on. In memory only. */
@Singleton
final class HoldMonitor {

    private static final Logger LOG = Logger.getLogger(HoldMonitor.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final HoldMemory memory;
    private final ClusterWatch cluster;
    private final HoldReporter reporter;
    private final RestartMakers makers;
    private final MeterRegistry metrics;
    private final ProcessClock clock;
    private final GatePolicy policy;

    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holds").factory());

    HoldMonitor(
            HoldMemory memory,
            ClusterWatch cluster,
            HoldReporter reporter,
            RestartMakers makers,
            MeterRegistry metrics,
            ProcessClock clock,
            Settings settings) {
        this.memory = memory;
        this.cluster = cluster;
        this.reporter = reporter;
        this.makers = makers;
        this.metrics = metrics;
        this.clock = clock;
        this.policy = settings.gate();
    }

    /** When this rollout was first refused, or would have been, as far as this replica remembers. */
    Optional<Instant> since(Rollout rollout) {
        return memory.since(rollout);
    }

    /**
     * To be told of every refusal. One that nobody proves is believed only where the cluster itself says that the rollout
     * is under way: then it is real, whoever asked.
     */
    void refused(Caller caller, Rollout rollout, RolloutHeld held, Instant now) {
        if (isReal(caller, rollout)) {
            memory.refused(rollout, held, now).ifPresent(reporter::begun);
        }
    }

    /**
     * To be told of everything that would have been refused. It is not tried again, and a pool says only afterwards that
     * it is under way: so one that nobody proves is kept until then.
     */
    void observed(Caller caller, Rollout rollout, RolloutHeld held, Instant now) {
        if (isReal(caller, rollout)) {
            memory.observed(rollout, held, now).ifPresent(reporter::begun);
        } else {
            memory.unproven(rollout, held, now);
        }
    }

    /** To be told of every rollout whose Node no marked Job holds any more. */
    void release(Rollout rollout, Instant now) {
        memory.release(rollout, now).ifPresent(ended -> reporter.ended(ended, now));
    }

    private static boolean isReal(Caller caller, Rollout rollout) {
        return caller instanceof ApiServer || rollout.evidence().isConfirmed();
    }

    void start(@Observes StartupEvent event) {
        if (policy.isWatching()) {
            gauges();
            var _ = looks.scheduleWithFixedDelay(
                    this::look, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** What the metrics say of what is remembered. */
    void gauges() {
        Gauge.builder("gitops.interlock.holds", memory::size)
                .description("Rollouts that are held now")
                .register(metrics);
        Gauge.builder("gitops.interlock.observed.holds", memory::observed)
                .description("Rollouts that would be held now, where sync-hold is Observe")
                .register(metrics);
        Gauge.builder("gitops.interlock.hold.age", () -> memory.age(clock.now()).toMillis() / 1000.0)
                .description("For how long the oldest of the holds has lasted; 0 without any")
                .baseUnit("seconds")
                .register(metrics);
    }

    void stop(@Observes ShutdownEvent event) {
        looks.shutdownNow();
    }

    /** Must not throw, or it would never be called again. */
    private void look() {
        try {
            look(cluster.syncs());
        } catch (RuntimeException e) {
            LOG.error("holds could not be looked at", e);
        }
    }

    void look(Optional<List<RunningSync>> syncs) {
        var now = clock.now();
        memory.proven(makers, now).forEach(reporter::begun);
        memory.ended(makers, syncs, policy, now).forEach(ended -> reporter.ended(ended, now));
    }
}
