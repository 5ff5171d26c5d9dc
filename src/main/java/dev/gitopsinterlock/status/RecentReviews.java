package dev.gitopsinterlock.status;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.Unauthenticated;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.gate.ObjectChange;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The last reviews that this replica answered, as far as people want to see them: names and field paths, never values.
 * Bounded, and in memory only. Thread-safe; nothing blocks, so that an event loop can tell it everything.
 */
public final class RecentReviews {

    static final int MOST_EDITS = 50;

    /** The newest first. An edit that is sent again and again is one line. */
    private final Deque<RecentEdit> edits = new ArrayDeque<>();

    private final Map<EditOutcome, Long> outcomes = new EnumMap<>(EditOutcome.class);
    private final Map<String, Asked> asked = new LinkedHashMap<>();

    private Optional<Instant> unauthenticated = Optional.empty();

    /**
     * How often one of our webhooks was asked.
     *
     * @param times in all
     * @param denied how often the answer was no
     * @param last when for the last time
     */
    public record Asked(long times, long denied, Instant last) {}

    /**
     * All of it at one moment.
     *
     * @param edits the newest first
     * @param outcomes how often each was, since the start, without dry runs
     * @param asked by the label of the webhook's route
     * @param unauthenticated when somebody came for the last time who is not the API server, although that can prove itself
     */
    public record Snapshot(
            List<RecentEdit> edits,
            Map<EditOutcome, Long> outcomes,
            Map<String, Asked> asked,
            Optional<Instant> unauthenticated) {}

    /**
     * To be told of every decision.
     *
     * @param endpoint label of the review's route
     * @param change its facts
     */
    public synchronized void decided(Instant now, String endpoint, Caller caller, Object change, Decision decision) {
        if (caller instanceof Unauthenticated && (change instanceof Change || change instanceof ObjectChange)) {
            // could have made it up, and would push out what is real
            unauthenticated = Optional.of(now);
            return;
        }
        var isDenied = decision.verdict() instanceof Deny;
        asked.merge(
                endpoint,
                new Asked(1, isDenied ? 1 : 0, now),
                (before, one) -> new Asked(before.times() + 1, before.denied() + one.denied(), now));
        if (change instanceof Change edit) {
            EditOutcome.of(decision).ifPresent(outcome -> edited(now, outcome, edit, decision));
        }
    }

    private void edited(Instant now, EditOutcome outcome, Change change, Decision decision) {
        if (!change.dryRun()) {
            outcomes.merge(outcome, 1L, Long::sum);
        }
        var edit = RecentEdit.of(now, outcome, change, decision);
        var before = edits.stream().filter(edit::isSame).findFirst();
        before.ifPresent(edits::remove);
        edits.addFirst(edit.repeated(before.map(RecentEdit::times).orElse(0L)));
        if (edits.size() > MOST_EDITS) {
            edits.removeLast();
        }
    }

    /** What is remembered now. */
    public synchronized Snapshot snapshot() {
        return new Snapshot(List.copyOf(edits), Map.copyOf(outcomes), Map.copyOf(asked), unauthenticated);
    }
}
