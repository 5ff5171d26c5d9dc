package dev.gitopsinterlock.status;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.Unauthenticated;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.gate.ObjectChange;
import dev.gitopsinterlock.guidance.RefusedEdit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
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
    private static final int MOST_FIELDS = 3;
    private static final int LONGEST = 253;

    /** The last one is the newest. An edit that is sent again and again is one line. */
    private final Map<Edit, Seen> edits = new LinkedHashMap<>();

    private final Map<EditOutcome, Long> outcomes = new EnumMap<>(EditOutcome.class);
    private final Map<String, Asked> asked = new LinkedHashMap<>();

    private Optional<Instant> unauthenticated = Optional.empty();

    /**
     * An edit and what became of it.
     *
     * @param kind of the object
     * @param tool that sent it, as the docs call it
     * @param code of the advice; empty where there was none
     * @param fields paths of the first fields that cannot change
     * @param more how many others
     * @param preview what would have become of it under Replace, as the metric has it; empty where nobody asked
     * @param isDryRun whether nothing was to be stored
     */
    public record Edit(
            EditOutcome outcome,
            String kind,
            ObjectName object,
            String tool,
            String code,
            List<String> fields,
            int more,
            String preview,
            boolean isDryRun) {

        public Edit {
            fields = List.copyOf(fields);
        }

        private static Edit of(EditOutcome outcome, Change edit, Decision decision) {
            var refused = decision.verdict() instanceof Deny(RefusedEdit denial)
                    ? Optional.of(denial)
                    : Optional.<RefusedEdit>empty();
            var fields = refused.map(denial -> denial.refused().fields()).orElse(List.of());
            return new Edit(
                    outcome,
                    cut(edit.type().kind()),
                    new ObjectName(
                            cut(edit.object().namespace()), cut(edit.object().name())),
                    edit.tool().profile().title(),
                    refused.map(denial -> denial.code().token()).orElse(""),
                    fields.stream().limit(MOST_FIELDS).map(Edit::cut).toList(),
                    Math.max(0, fields.size() - MOST_FIELDS),
                    refused.flatMap(RefusedEdit::previewToken).orElse(""),
                    edit.dryRun());
        }

        private static String cut(String text) {
            return Wording.cut(text, LONGEST);
        }
    }

    /**
     * How often an edit came.
     *
     * @param last when it came, the last time
     */
    public record Seen(Edit edit, Instant last, long times) {
        private Seen again(Instant now) {
            return new Seen(edit, now, times + 1);
        }
    }

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
            List<Seen> edits,
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
        var edit = Edit.of(outcome, change, decision);
        var before = edits.remove(edit);
        edits.put(edit, before == null ? new Seen(edit, now, 1) : before.again(now));
        if (edits.size() > MOST_EDITS) {
            edits.remove(edits.keySet().iterator().next());
        }
    }

    /** What is remembered now. */
    public synchronized Snapshot snapshot() {
        var newest = new ArrayList<>(edits.values());
        Collections.reverse(newest);
        return new Snapshot(List.copyOf(newest), Map.copyOf(outcomes), Map.copyOf(asked), unauthenticated);
    }
}
