package dev.gitopsinterlock.cluster.rollouts;

import dev.gitopsinterlock.cluster.api.Events;
import dev.gitopsinterlock.cluster.api.Events.Happening;
import dev.gitopsinterlock.gate.Hold;
import dev.gitopsinterlock.gate.Hold.End;
import dev.gitopsinterlock.gate.HoldMemory.Ended;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jboss.logging.Logger;

/** Tells people when a rollout begins to wait and when it goes on: an Event on its scope, a line in the log, a count. */
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
        }
    }

    void begun(Hold hold) {
        var reason = hold.held().reason();
        send(hold, "Normal", "RolloutHeld", "Hold", reason);
        LOG.infof("hold begins: %s %s", about(hold), reason);
    }

    void ended(Ended ended, Instant now) {
        var hold = ended.hold();
        var end = ended.end();
        ended(end).increment();
        var seconds = Duration.between(hold.begun(), now).toSeconds();
        var note = "goes on after %d min %02d s: %s".formatted(seconds / 60, seconds % 60, end.words());
        send(hold, end.isPremature() ? "Warning" : "Normal", "RolloutReleased", "Release", note);
        LOG.infof("hold ends: %s %s", about(hold), note);
    }

    private Counter ended(End end) {
        return metrics.counter(
                "gitops.interlock.holds.ended", "outcome", end.name().toLowerCase(Locale.ROOT));
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
