package dev.gitopsinterlock.cluster.rollouts;

import dev.gitopsinterlock.cluster.api.Events;
import dev.gitopsinterlock.cluster.api.Events.Happening;
import dev.gitopsinterlock.gate.Hold;
import dev.gitopsinterlock.gate.Hold.End;
import dev.gitopsinterlock.gate.HoldMemory.Ended;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jboss.logging.Logger;

/**
 * Tells people when a rollout begins to wait and when it goes on, or when it would: an Event on its scope, a line in the
 * log, a count.
 */
@Singleton
final class HoldReporter {

    private static final Logger LOG = Logger.getLogger(HoldReporter.class);

    private final Events events;
    private final MeterRegistry metrics;

    HoldReporter(Events events, MeterRegistry metrics) {
        this.events = events;
        this.metrics = metrics;
        for (var end : End.values()) {
            ended(end);
            observed(end);
        }
    }

    void begun(Hold hold) {
        var note = hold.startNote();
        if (hold.isObserved()) {
            send(hold, "Normal", "RolloutWouldWait", "Observe", note);
            LOG.infof("observation begins: %s %s", about(hold), note);
        } else {
            send(hold, "Normal", "RolloutHeld", "Hold", note);
            LOG.infof("hold begins: %s %s", about(hold), note);
        }
    }

    void ended(Ended ended, Instant now) {
        var hold = ended.hold();
        var end = ended.end();
        var note = hold.endNote(end, now);
        if (hold.isObserved()) {
            observed(end).record(Duration.between(hold.begun(), now));
            send(hold, "Normal", "RolloutWouldGoOn", "Observe", note);
            LOG.infof("observation ends: %s %s", about(hold), note);
        } else {
            ended(end).increment();
            send(hold, end.isPremature() ? "Warning" : "Normal", "RolloutReleased", "Release", note);
            LOG.infof("hold ends: %s %s", about(hold), note);
        }
    }

    private Timer observed(End end) {
        return Timer.builder("gitops.interlock.observed.hold")
                .description("How long rollouts would have been held, where sync-hold is Observe")
                .tag("outcome", token(end))
                .register(metrics);
    }

    private Counter ended(End end) {
        return metrics.counter("gitops.interlock.holds.ended", "outcome", token(end));
    }

    private static String token(End end) {
        return end.name().toLowerCase(Locale.ROOT);
    }

    private void send(Hold hold, String type, String reason, String action, String note) {
        events.send(hold.rollout().scope().object(), new Happening(type, reason, action, note));
    }

    private static String about(Hold hold) {
        var scope = hold.rollout().scope();
        return "%s=%s target=%s"
                .formatted(scope.noun(), scope.name(), hold.rollout().target());
    }
}
