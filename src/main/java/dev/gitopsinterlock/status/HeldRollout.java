package dev.gitopsinterlock.status;

import dev.gitopsinterlock.gate.Hold;
import dev.gitopsinterlock.gate.Hold.End;
import dev.gitopsinterlock.gate.HoldMemory;
import dev.gitopsinterlock.gate.Holder;
import dev.gitopsinterlock.gate.Rollout.Scope;
import dev.gitopsinterlock.gate.RolloutHeld;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A rollout that is held, would be held if the gate did not only observe it, or was held until lately.
 *
 * @param scope whose rollout it is
 * @param target what its Nodes are to have
 * @param nodes that are held back; none where all of the scope wait and nobody remembers which were to be next
 * @param holder what it waits for
 * @param isObserved whether it would be held, and goes on
 * @param since when it was held first; where nobody remembers that, when the rollout began
 * @param until when it goes on at the latest, or went on
 * @param end why it went on; empty while it is held
 */
public record HeldRollout(
        Scope scope,
        String target,
        List<String> nodes,
        Holder holder,
        boolean isObserved,
        Instant since,
        Instant until,
        Optional<End> end) {

    private static final Duration LATELY = Duration.ofHours(1);

    public HeldRollout {
        nodes = List.copyOf(nodes);
    }

    /**
     * All that a replica holds, or would, the oldest first; then those that went on within the last hour, the newest
     * first.
     */
    public static List<HeldRollout> in(HoldMemory memory, Instant now) {
        return Stream.concat(
                        memory.lasting().stream()
                                .map(hold -> of(hold, hold.held().until(), Optional.empty())),
                        memory.past().stream()
                                .filter(past -> past.at().isAfter(now.minus(LATELY)))
                                .map(past -> of(
                                        past.ended().hold(),
                                        past.at(),
                                        Optional.of(past.ended().end()))))
                .toList();
    }

    private static HeldRollout of(Hold hold, Instant until, Optional<End> end) {
        var held = hold.held();
        return new HeldRollout(
                held.scope(),
                hold.rollout().target(),
                hold.nodes().stream().sorted().toList(),
                held.holder(),
                hold.isObserved(),
                hold.begun(),
                until,
                end);
    }

    /** A rollout that the gate's rule holds now, found from outside. */
    static HeldRollout of(RolloutHeld held, String target, boolean isObserved) {
        return new HeldRollout(
                held.scope(),
                target,
                held.node().isEmpty() ? List.of() : List.of(held.node()),
                held.holder(),
                isObserved,
                held.since(),
                held.until(),
                Optional.empty());
    }

    /** Whether it waits now. */
    public boolean isHeld() {
        return !isObserved && end.isEmpty();
    }

    /** The object on which people are told of it. */
    public Subject subject() {
        return Subject.of(scope.object());
    }
}
