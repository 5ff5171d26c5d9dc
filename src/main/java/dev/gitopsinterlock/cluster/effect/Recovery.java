package dev.gitopsinterlock.cluster.effect;

import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.api.Identity.Impossible;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.cluster.effect.Intents.Found.Gone;
import dev.gitopsinterlock.cluster.effect.Intents.Found.NotOurs;
import dev.gitopsinterlock.cluster.effect.Intents.Found.Order;
import dev.gitopsinterlock.cluster.effect.ReplacementIdentity.Mode;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.logging.LogRateLimiter;
import dev.gitopsinterlock.policy.ReplacementScope;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final ReplacementIdentity identities;
    private final Intents intents;
    private final ObjectCreation creation;
    private final Counter done;
    private final Counter refused;
    private final Counter expired;
    private final Counter notOurs;
    private final Counter gone;
    private final Duration interrupted;
    private final boolean isOn;

    /** The intents in the cluster, by their names; empty for one that is not ours. */
    private final Map<String, Optional<Seen>> seen = new HashMap<>();

    /** Intents whose objects were not there when they were last looked at. */
    private final Set<String> absent = new HashSet<>();

    private final LogRateLimiter complaints = new LogRateLimiter(InstantSource.system());
    private final ProcessClock clock;
    private final ScheduledExecutorService rounds = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("recovery").factory());

    /**
     * What is remembered of an intent.
     *
     * @param object the one whose place is to be taken
     * @param uid that one's
     * @param recorded by the API server's clock
     * @param since when this replica knows of it, of System.nanoTime
     */
    private record Seen(ResourceType type, ObjectName object, String uid, Instant recorded, long since) {

        /** Whether there was another one of that name again after this one had been written. */
        boolean isOvertakenBy(Seen other) {
            return type.equals(other.type)
                    && object.equals(other.object)
                    && !uid.equals(other.uid)
                    && recorded.isBefore(other.recorded);
        }
    }

    Recovery(
            KubernetesApi api,
            ReplacementIdentity identities,
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
        this.notOurs = counter(metrics, "not_ours");
        this.gone = EffectMetrics.gone(metrics);
        this.interrupted = settings.effects().recreateDelay().plus(INTERRUPTED);
        this.isOn = settings.levels().replacement() instanceof ReplacementScope.On;
    }

    private static Counter counter(MeterRegistry metrics, String outcome) {
        return metrics.counter("gitops.interlock.recoveries", "outcome", outcome);
    }

    void start(@Observes StartupEvent event) {
        if (isOn) {
            var _ = rounds.scheduleWithFixedDelay(
                    this::recoverAll, ROUND.toMillis(), ROUND.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        rounds.shutdownNow();
    }

    /** Finishes all interrupted replacements. Never throws: a scheduled task that does is not run again. */
    void recoverAll() {
        if (identities.mode() instanceof Mode.Not) {
            return;
        }
        List<String> names;
        try {
            names = intents.names(PATIENCE);
        } catch (IOException | RuntimeException e) {
            complain("interrupted replacements cannot be looked for", e);
            return;
        }
        seen.keySet().retainAll(names);
        absent.retainAll(names);
        each(names.stream().filter(name -> !seen.containsKey(name)).toList(), this::note);
        each(List.copyOf(seen.keySet()), this::resume);
    }

    private interface Work {
        void on(String intent) throws IOException;
    }

    private void each(List<String> names, Work work) {
        for (var name : names) {
            try {
                work.on(name);
            } catch (IOException | RuntimeException e) {
                complain("replacement not finished yet: intent=" + name, e);
            }
        }
    }

    private void note(String name) throws IOException {
        switch (intents.read(name, PATIENCE)) {
            case Gone() -> {}
            case NotOurs() -> skip(name);
            case Order(var operation, var _, var recorded) ->
                seen.put(
                        name,
                        Optional.of(new Seen(
                                operation.type(),
                                operation.object(),
                                operation.uid(),
                                Instant.ofEpochSecond(recorded),
                                clock.nanoTime())));
        }
    }

    private void skip(String name) {
        seen.put(name, Optional.empty());
        notOurs.increment();
        LOG.warnf(
                "a Secret was not written by this release, or was changed since, or its key is gone; it is left alone and not carried out: intent=%s",
                name);
    }

    private void resume(String name) throws IOException {
        var intent = seen.getOrDefault(name, Optional.empty());
        if (intent.isEmpty()) {
            return;
        }
        var age = Duration.ofNanos(clock.nanoTime() - intent.get().since());
        if (!intent.get().recorded().plus(EXPECTED).isAfter(api.now())) {
            // nobody expects any more what was meant an hour ago
            expired.increment();
            gone.increment();
            LOG.warnf("a replacement that was interrupted over an hour ago is not finished any more: intent=%s", name);
            intents.drop(name);
        } else if (seen.values().stream().flatMap(Optional::stream).anyMatch(intent.get()::isOvertakenBy)) {
            // there was another one of that name since, and an edit of that one: this is nobody's wish any more
            intents.drop(name);
        } else if (age.compareTo(interrupted) >= 0 && !intents.isInProgress(name)) {
            watch(name, age);
        }
    }

    private void watch(String intent, Duration age) throws IOException {
        var found = intents.read(intent, PATIENCE);
        if (found instanceof NotOurs) {
            skip(intent);
        }
        if (!(found instanceof Order order)) {
            return;
        }
        var live = api.get(order.operation().path(), PATIENCE);
        if (live.status() == 404) {
            // seen twice: another replacement of the same object may be between its deletion and its creation
            if (!absent.add(intent)) {
                finish(intent, order);
            }
            return;
        }
        absent.remove(intent);
        if (!live.isSuccess()) {
            throw new IOException("HTTP status " + live.status());
        }
        var isOld = LiveObjects.isOfSameUid(order.operation(), live.body());
        // one that is on its way out goes in the end, and the new one has to come then
        var isStaying = !ObjectMeta.isTerminating(live.body()) && age.compareTo(ABANDONED) > 0;
        if (!isOld || isStaying) {
            intents.drop(intent);
        }
    }

    private void finish(String intent, Order order) throws IOException {
        var operation = order.operation();
        if (!order.namespaceUid().equals(intents.namespaceUid(operation, PATIENCE))) {
            giveUp(operation, "its Namespace is not the one that it was in");
            intents.drop(intent);
            return;
        }
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
        } else if (!answer.alreadyExists() && !answer.isPermanentRefusal()) {
            throw new IOException("HTTP status " + answer.status());
        } else if (!answer.alreadyExists()) {
            giveUp(operation, "HTTP status " + answer.status());
        }
        intents.drop(intent);
    }

    private void giveUp(ObjectOperation operation, String why) {
        refused.increment();
        gone.increment();
        LOG.warnf(
                "%s %s was deleted by a replacement that was interrupted, and cannot be created again: %s; apply it again",
                operation.type().kind(), operation.object(), why);
    }

    private void complain(String line, Exception failure) {
        LOG.debug(line, failure);
        complaints.warn(LOG, line + ": " + failure.getMessage());
    }
}
