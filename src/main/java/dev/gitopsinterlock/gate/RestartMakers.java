package dev.gitopsinterlock.gate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.gate.RolloutStart.NoRollout;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All whose rollouts the gate holds. One change belongs to one of them: the first that knows a rollout for it.
 *
 * @param all each with a name of its own
 */
public record RestartMakers(List<RestartMaker> all) {

    public RestartMakers {
        all = List.copyOf(all);
    }

    /** The one of this class, if it is among them. */
    public <T extends RestartMaker> Optional<T> get(Class<T> type) {
        return all.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /** What the service keeps in memory for them. */
    public List<WatchedKind<?>> watches() {
        return all.stream()
                .<WatchedKind<?>>flatMap(maker -> maker.watches().stream())
                .distinct()
                .toList();
    }

    /** What has to be known to tell of rollouts that have Nodes before them. */
    public List<WatchedKind<?>> lists() {
        return all.stream()
                .<WatchedKind<?>>flatMap(maker -> maker.lists().stream())
                .distinct()
                .toList();
    }

    Set<String> kinds() {
        return all.stream().flatMap(maker -> maker.kinds().stream()).collect(Collectors.toUnmodifiableSet());
    }

    String targetOf(ObjectChange change) {
        return concerned(change)
                .map(maker -> maker.targetOf(change))
                .filter(target -> !target.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Where none begins, the reason is that of the sender's own maker, if it is one's. */
    RolloutStart startedBy(ObjectChange change) {
        RolloutStart found = new NoRollout(RolloutReason.SKIPPED);
        for (var maker : concerned(change).toList()) {
            var start = maker.startedBy(change);
            if (!(start instanceof NoRollout(var reason))) {
                return start;
            }
            if (reason != RolloutReason.SKIPPED) {
                found = start;
            }
        }
        return found;
    }

    /** Whether a change that begins this rollout can interrupt what runs on the Node, as {@link RestartMaker#interrupts} says. */
    public boolean interrupts(Rollout rollout, ObjectChange change, Function<String, Optional<JsonNode>> objects) {
        return maker(rollout).map(maker -> maker.interrupts(change, objects)).orElse(true);
    }

    private Stream<RestartMaker> concerned(ObjectChange change) {
        return all.stream().filter(maker -> maker.kinds().contains(change.kind()));
    }

    /** How far a rollout has come, as its maker sees it. */
    Progress progressOf(Rollout rollout, Instant since, Instant now) {
        return maker(rollout)
                .map(maker -> maker.progressOf(rollout, since, now))
                .orElseGet(Progress.Removed::new);
    }

    private Optional<RestartMaker> maker(Rollout rollout) {
        return all.stream()
                .filter(maker -> maker.name().equals(rollout.maker()))
                .findFirst();
    }
}
