package dev.gitopsinterlock.cluster.carryout;

import dev.gitopsinterlock.carryout.Effect.ObjectOperation;
import dev.gitopsinterlock.cluster.api.Identity.Impossible;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.cluster.carryout.CarryOutIdentity.Mode;
import dev.gitopsinterlock.cluster.carryout.Intents.Kept;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.job.policy.CarryOutScope;
import dev.gitopsinterlock.logging.LogRateLimiter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Finishes replacements that were interrupted, by whichever replica: where the old object is gone and its name is free, the
 * new one is created, in the same name as it would have been. However many replicas do that at once, the name makes it
 * one. An intent goes once somebody's object has the name.
 */
@Singleton
final class Recovery {

    private static final Logger LOG = Logger.getLogger(Recovery.class);

    /** Longer than a replacement that nothing holds up takes after its intent is written. */
    private static final Duration INTERRUPTED = Duration.ofSeconds(5);

    /** Longer than any request may take: whoever wrote the intent deletes nothing any more. */
    private static final Duration ABANDONED = Duration.ofSeconds(60);

    private static final Duration EXPECTED = Duration.ofHours(1);
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final KubernetesApi api;
    private final CarryOutIdentity identities;
    private final Intents intents;
    private final ObjectCreation creation;
    private final Counter done;
    private final Counter refused;
    private final Counter expired;
    private final Counter gone;
    private final Duration interrupted;
    private final boolean isOn;
    /** When this replica first saw an intent, of System.nanoTime: the clocks of a cluster do not agree. */
    private final Map<String, Long> seen = new HashMap<>();

    /** Intents whose objects were not there when they were last looked at. */
    private final Set<String> absent = new HashSet<>();

    private final LogRateLimiter complaints = new LogRateLimiter(InstantSource.system());
    private final ProcessClock clock;
    private final ScheduledExecutorService rounds = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("recovery").factory());

    Recovery(
            KubernetesApi api,
            CarryOutIdentity identities,
            Intents intents,
            ObjectCreation creation,
            MeterRegistry metrics,
            ProcessClock clock,
            Settings settings) {
        this.api = api;
        this.clock = clock;
        this.identities = identities;
        this.intents = intents;
        this.creation = creation;
        this.done = counter(metrics, "done");
        this.refused = counter(metrics, "refused");
        this.expired = counter(metrics, "expired");
        this.gone = EffectMetrics.gone(metrics);
        this.interrupted = settings.effects().settle().plus(INTERRUPTED);
        this.isOn = settings.levels().carryOut() instanceof CarryOutScope.On;
    }

    private static Counter counter(MeterRegistry metrics, String outcome) {
        return metrics.counter("gitops.interlock.recoveries", "outcome", outcome);
    }

    void start(@Observes StartupEvent event) {
        if (isOn) {
            var _ = rounds.scheduleWithFixedDelay(
                    this::lookAfterAll, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        rounds.shutdownNow();
    }

    /** A scheduled task that throws is never run again. */
    void lookAfterAll() {
        if (identities.mode() instanceof Mode.Not) {
            return;
        }
        Map<String, Kept> kept;
        try {
            kept = intents.kept(PATIENCE);
            seen.keySet().retainAll(kept.keySet());
            absent.retainAll(kept.keySet());
            kept.forEach((name, intent) -> note(name, intent.created()));
        } catch (IOException | RuntimeException e) {
            complain("interrupted replacements cannot be looked for", e);
            return;
        }
        kept.forEach((name, intent) -> {
            if (seen.containsKey(name)) {
                goOnWith(name, intent, kept.values());
            }
        });
    }

    private void goOnWith(String name, Kept intent, Collection<Kept> all) {
        try {
            // somebody's had the name since, and an edit of that one came: this one is nobody's wish any more
            if (all.stream().anyMatch(intent::isOvertakenBy)) {
                intents.drop(name);
            } else if (age(name).compareTo(interrupted) >= 0 && !intents.isInHand(name)) {
                lookAfter(name);
            }
        } catch (IOException | RuntimeException e) {
            complain("replacement not finished yet: intent=" + name, e);
        }
    }

    /** What was meant an hour ago nobody expects any more. */
    private void note(String intent, Instant created) {
        if (created.plus(EXPECTED).isAfter(api.now())) {
            seen.putIfAbsent(intent, clock.nanoTime());
            return;
        }
        expired.increment();
        gone.increment();
        LOG.warnf("a replacement that was interrupted over an hour ago is not finished any more: intent=%s", intent);
        intents.drop(intent);
    }

    private Duration age(String intent) {
        var now = clock.nanoTime();
        return Duration.ofNanos(now - seen.getOrDefault(intent, now));
    }

    private void lookAfter(String intent) throws IOException {
        var operation = intents.read(intent, PATIENCE);
        if (operation.isEmpty()) {
            return;
        }
        var live = api.get(operation.get(), PATIENCE);
        if (live.status() == 404) {
            // seen twice: another replacement of the same object may be between its deletion and its creation
            if (!absent.add(intent)) {
                finish(intent, operation.get());
            }
            return;
        }
        absent.remove(intent);
        if (!live.isSuccess()) {
            throw new IOException("HTTP status " + live.status());
        }
        var metadata = live.body().path("metadata");
        var isOld = metadata.path("uid").asText().equals(operation.get().uid());
        // one that is on its way out goes in the end, and the new one has to come then
        var isStaying = !metadata.hasNonNull("deletionTimestamp") && age(intent).compareTo(ABANDONED) > 0;
        if (!isOld || isStaying) {
            intents.drop(intent);
        }
    }

    private void finish(String intent, ObjectOperation operation) throws IOException {
        var identity = identities.of(operation.requester());
        if (identity instanceof Impossible(var why)) {
            throw new IOException(why);
        }
        var answer = creation.create(operation, identity, PATIENCE);
        if (answer.isSuccess()) {
            done.increment();
            LOG.infof(
                    "interrupted replacement finished: kind=%s object=%s",
                    operation.type().kind(), operation.object());
        } else if (!answer.alreadyExists() && !answer.isRefusedForGood()) {
            throw new IOException("HTTP status " + answer.status());
        } else if (!answer.alreadyExists()) {
            refused.increment();
            gone.increment();
            LOG.warnf(
                    "%s %s was deleted by a replacement that was interrupted, and cannot be created again: HTTP status %d; apply it again",
                    operation.type().kind(), operation.object(), answer.status());
        }
        intents.drop(intent);
    }

    private void complain(String line, Exception failure) {
        LOG.debug(line, failure);
        complaints
                .next()
                .ifPresent(
                        heldBack -> LOG.warnf("%s: %s (and %d more unlogged)", line, failure.getMessage(), heldBack));
    }
}
