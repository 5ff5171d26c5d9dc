package dev.gitopsinterlock.status;

import dev.gitopsinterlock.policy.SyncHold;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a cluster shows at one moment.
 *
 * @param at that moment
 * @param blocked objects of tools that our denials hold up
 * @param forgotten Applications that may be Synced at a commit that was not applied
 * @param rollouts that wait, or would wait
 * @param observations what Events tell of such rollouts, the newest first
 * @param edits refused and carried out lately, the newest first
 * @param installed whose policy holds; empty where nothing is installed
 * @param policies of Namespaces
 * @param unread what could not be read, in one line each: of that, nothing is known
 * @param notes what else there is to know, in one line each
 */
public record Status(
        Instant at,
        List<Blocked> blocked,
        List<ForgottenSync> forgotten,
        List<HeldRollout> rollouts,
        List<ObservedRollout> observations,
        List<RecentEdit> edits,
        Optional<InstalledPolicy> installed,
        List<NamespacePolicy> policies,
        List<String> unread,
        List<String> notes) {

    public Status {
        blocked = List.copyOf(blocked);
        forgotten = List.copyOf(forgotten);
        rollouts = List.copyOf(rollouts);
        observations = ObservedRollout.newest(
                observations,
                rollouts.stream()
                        .filter(HeldRollout::isObserved)
                        .map(HeldRollout::subject)
                        .collect(Collectors.toSet()));
        edits = newest(edits);
        policies = List.copyOf(policies);
        unread = List.copyOf(unread);
        notes = List.copyOf(notes);
    }

    /** Rollouts that wait. */
    public List<HeldRollout> held() {
        return rollouts.stream().filter(HeldRollout::isHeld).toList();
    }

    /** Rollouts that would wait, and go on because they are only observed. */
    public List<HeldRollout> observed() {
        return rollouts.stream().filter(HeldRollout::isObserved).toList();
    }

    /** Whether there is anything to be said of rollouts that are only observed. */
    public boolean observes() {
        return installed
                        .filter(policy -> policy.gate().syncHold() == SyncHold.OBSERVE)
                        .isPresent()
                || !observed().isEmpty()
                || !observations.isEmpty();
    }

    /** Whether somebody waits for something. */
    public boolean needsSomebody() {
        return !blocked.isEmpty() || !held().isEmpty();
    }

    /** What a Job tells is left out where an Event tells more, and what our Event tells where a tool's does. */
    private static List<RecentEdit> newest(List<RecentEdit> edits) {
        return edits.stream()
                .filter(edit -> edits.stream().noneMatch(edit::isCoveredBy))
                .sorted(Comparator.comparing(RecentEdit::at).reversed())
                .toList();
    }
}
