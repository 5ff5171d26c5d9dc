package dev.gitopsinterlock.cluster;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.cluster.Events.Happening;
import dev.gitopsinterlock.cluster.Events.Regarding;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.machineconfig.GatePolicy;
import dev.gitopsinterlock.machineconfig.Hold;
import dev.gitopsinterlock.machineconfig.Hold.End;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.machineconfig.RolloutHeld;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * The rollouts that this replica has refused: tells people when a hold begins and when it ends, and counts. In memory
 * only, and no rule depends on it but for one thing: a hold that is remembered is never made longer.
 */
@Singleton
public final class Holds {

    private static final Logger LOG = Logger.getLogger(Holds.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final ClusterWatch cluster;
    private final Events events;
    private final MeterRegistry metrics;
    private final GatePolicy policy;
    private final ConcurrentMap<Key, Hold> open = new ConcurrentHashMap<>();

    /** Also of holds that have ended: a rollout that goes on is the same one, and has been held once already. */
    private final ConcurrentMap<Key, Memory> memories = new ConcurrentHashMap<>();

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("holds").factory());

    private record Key(String poolUid, String target) {}

    /**
     * A rollout that was refused.
     *
     * @param since when for the first time
     * @param until when it is forgotten, should it still be under way then
     */
    private record Memory(Instant since, Instant until) {}

    Holds(ClusterWatch cluster, Events events, MeterRegistry metrics, Settings settings) {
        this.cluster = cluster;
        this.events = events;
        this.metrics = metrics;
        this.policy = settings.gate();
    }

    /** When this rollout was first refused, as far as this replica remembers. */
    public Optional<Instant> since(Pool pool, String target) {
        return Optional.ofNullable(memories.get(new Key(pool.uid(), target))).map(Memory::since);
    }

    /**
     * To be told of every refusal. One that nobody proves is believed only where the pool itself says that its Nodes are
     * to have the target: then the rollout is real, whoever asked.
     *
     * @param pool as the cluster has it
     */
    public synchronized void refused(Caller caller, Pool pool, String target, RolloutHeld held, Instant now) {
        if (!(caller instanceof ApiServer) && !pool.isRollingOut(target)) {
            return;
        }
        var key = new Key(pool.uid(), target);
        var limit = Duration.between(held.since(), held.until());
        memories.putIfAbsent(key, new Memory(now, now.plus(limit).plus(limit)));
        var before = open.get(key);
        var hold = new Hold(pool, target, before == null ? now : before.begun(), held);
        if (open.put(key, hold) == null) {
            tell(hold, "Normal", "RolloutHeld", "Hold", held.reason());
            LOG.infof("hold begins: pool=%s target=%s %s", pool.name(), target, held.reason());
        }
    }

    void start(@Observes StartupEvent event) {
        if (policy.isEnabled()) {
            Gauge.builder("gitops.interlock.holds", open::size)
                    .description("Rollouts of MachineConfigs that are held now")
                    .register(metrics);
            Gauge.builder("gitops.interlock.hold.age", this::age)
                    .description("For how long the oldest of the holds has lasted; 0 without any")
                    .baseUnit("seconds")
                    .register(metrics);
            var _ = clock.scheduleWithFixedDelay(
                    this::look, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    void stop(@Observes ShutdownEvent event) {
        clock.shutdownNow();
    }

    private double age() {
        var now = Instant.now();
        return open.values().stream()
                        .mapToLong(hold -> Duration.between(hold.begun(), now).toMillis())
                        .max()
                        .orElse(0)
                / 1000.0;
    }

    /** Must not throw, or it would never be called again. */
    private void look() {
        try {
            var now = Instant.now();
            var view = cluster.view();
            open.forEach((key, hold) -> hold.end(view, policy, now).ifPresent(end -> ended(key, hold, end, now)));
            memories.entrySet()
                    .removeIf(entry -> now.isAfter(entry.getValue().until())
                            || view.pools()
                                    .filter(pools -> !isUnderWay(entry.getKey(), entry.getValue(), pools))
                                    .isPresent());
        } catch (RuntimeException e) {
            LOG.error("holds could not be looked at", e);
        }
    }

    private static boolean isUnderWay(Key key, Memory memory, List<Pool> pools) {
        return pools.stream()
                .filter(pool -> pool.uid().equals(key.poolUid()))
                .anyMatch(pool -> pool.isToHave(key.target(), memory.since()));
    }

    private void ended(Key key, Hold hold, End end, Instant now) {
        // a refusal in the same moment has put another one there, which is judged at the next look
        if (!open.remove(key, hold)) {
            return;
        }
        metrics.counter("gitops.interlock.holds.ended", "outcome", end.name().toLowerCase(Locale.ROOT))
                .increment();
        var seconds = Duration.between(hold.begun(), now).toSeconds();
        var note = "goes on after %d min %02d s: %s".formatted(seconds / 60, seconds % 60, end.words());
        tell(hold, end.isPremature() ? "Warning" : "Normal", "RolloutReleased", "Release", note);
        LOG.infof("hold ends: pool=%s target=%s %s", hold.pool().name(), hold.target(), note);
    }

    private void tell(Hold hold, String type, String reason, String action, String note) {
        var pool = new Regarding(
                "machineconfiguration.openshift.io/v1",
                "MachineConfigPool",
                "",
                hold.pool().name(),
                hold.pool().uid());
        events.send(pool, new Happening(type, reason, action, note));
    }
}
