package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.guidance.Preview;
import dev.gitopsinterlock.guidance.RefusedEdit;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An edit and what became of it, as a replica, an Event or a Job shows it: names and field paths, never values. What is not
 * known is empty.
 *
 * @param at when, the last time
 * @param times how often
 * @param kind of the object
 * @param object that was to be changed, or that took its place
 * @param code of the advice
 * @param by the tool that sent it, as the docs call it, or its object that quotes the denial
 * @param said what would have become of it under Replace, or what changed
 * @param fields paths of the first fields that cannot change
 * @param more how many others
 * @param isDryRun whether nothing was to be stored
 */
public record RecentEdit(
        Instant at,
        long times,
        EditOutcome outcome,
        String kind,
        ObjectName object,
        String code,
        String by,
        String said,
        List<String> fields,
        int more,
        boolean isDryRun) {

    private static final String JOB = "Job";

    private static final String OURS = "gitops-interlock.dev/webhook";

    /** Between a Job's creation and the Event about it. */
    private static final long SAME_SECONDS = 30;

    private static final int MOST_FIELDS = 3;
    private static final int LONGEST = 253;

    public RecentEdit {
        fields = List.copyOf(fields);
    }

    /** One that an Event or a Job tells of. */
    public static RecentEdit seen(
            Instant at,
            long times,
            EditOutcome outcome,
            String kind,
            ObjectName object,
            String code,
            String by,
            String said) {
        return new RecentEdit(at, times, outcome, kind, object, code, by, said, List.of(), 0, false);
    }

    /** What a replica has decided. */
    static RecentEdit of(Instant at, EditOutcome outcome, Change edit, Decision decision) {
        Optional<RefusedEdit> refused =
                decision.verdict() instanceof Deny(RefusedEdit denial) ? Optional.of(denial) : Optional.empty();
        var fields = refused.map(denial -> denial.refused().fields()).orElse(List.of());
        return new RecentEdit(
                at,
                1,
                outcome,
                cut(edit.type().kind()),
                new ObjectName(cut(edit.object().namespace()), cut(edit.object().name())),
                refused.map(denial -> denial.code().token()).orElse(""),
                edit.tool().profile().title(),
                refused.flatMap(RefusedEdit::preview).map(Preview::words).orElse(""),
                fields.stream().limit(MOST_FIELDS).map(RecentEdit::cut).toList(),
                Math.max(0, fields.size() - MOST_FIELDS),
                edit.dryRun());
    }

    /** What an Event of {@code events.k8s.io/v1} tells: one of ours, or one of a tool that quotes us. */
    public static List<RecentEdit> ofEvent(JsonNode event) {
        var at = lastSeen(event);
        if (at.isEmpty()) {
            return List.of();
        }
        var note = event.path("note").asText();
        var regarding = event.path("regarding");
        if (event.path("reportingController").asText().equals(OURS)) {
            return outcome(event)
                    .map(outcome -> seen(
                            at.get(),
                            times(event),
                            outcome,
                            kind(regarding),
                            name(regarding),
                            QuotedDenial.inOurs(note).map(QuotedDenial::code).orElse(""),
                            "",
                            said(outcome, note)))
                    .stream()
                    .toList();
        }
        return QuotedDenial.in(note).stream()
                .map(denial -> seen(
                        at.get(),
                        times(event),
                        EditOutcome.REFUSED,
                        denial.kind(),
                        denial.object(),
                        denial.code(),
                        kind(regarding) + " " + name(regarding),
                        ""))
                .toList();
    }

    private static Optional<EditOutcome> outcome(JsonNode event) {
        return switch (event.path("reason").asText()) {
            case "Replaced" -> Optional.of(EditOutcome.REPLACED);
            case "RunStarted" -> Optional.of(EditOutcome.RUN_BESIDE);
            case "EditRefused" ->
                Optional.of(
                        event.path("action").asText().equals("Preview") ? EditOutcome.PREVIEWED : EditOutcome.REFUSED);
            default -> Optional.empty();
        };
    }

    /** What is worth a line beside the code; what to do stands elsewhere. */
    private static String said(EditOutcome outcome, String note) {
        return switch (outcome) {
            case REPLACED, RUN_BESIDE, WARNED -> Wording.printable(note);
            case REFUSED, PREVIEWED -> Preview.in(note).orElse("");
        };
    }

    /** What the Job itself tells, for longer than Events are kept. */
    public static Optional<RecentEdit> ofJob(JsonNode job) {
        var metadata = job.path("metadata");
        var outcome = job.at(OurMetadata.annotation(OurMetadata.REPLACED)).isTextual()
                ? Optional.of(EditOutcome.REPLACED)
                : Optional.of(EditOutcome.RUN_BESIDE).filter(ran -> OurMetadata.isRun(job));
        return outcome.flatMap(known -> Timestamp.of(metadata.path("creationTimestamp"))
                .map(at -> seen(at, 1, known, JOB, name(metadata), "", "", "")));
    }

    /** Whether another one says as much and more, so that it suffices. */
    boolean isCoveredBy(RecentEdit other) {
        return outcome == other.outcome
                && kind.equals(other.kind)
                && object.equals(other.object)
                && other.about().length() > about().length()
                && other.about().startsWith(about())
                && (outcome == EditOutcome.REFUSED
                        || Math.abs(at.getEpochSecond() - other.at.getEpochSecond()) <= SAME_SECONDS);
    }

    /** A code and who said it, or what changed. */
    public String about() {
        return Stream.of(code, by, said).filter(word -> !word.isEmpty()).collect(Collectors.joining(", "));
    }

    /** Whether another one differs at most in when it came, and how often. */
    boolean isSame(RecentEdit other) {
        return equals(other.with(at, times));
    }

    /** This one, which came this often before. */
    RecentEdit repeated(long before) {
        return with(at, before + times);
    }

    private RecentEdit with(Instant when, long often) {
        return new RecentEdit(when, often, outcome, kind, object, code, by, said, fields, more, isDryRun);
    }

    /** Whether it is one of a Job. */
    public boolean isOfJob() {
        return kind.equals(JOB);
    }

    private static String cut(String text) {
        return Wording.cut(text, LONGEST);
    }

    private static String kind(JsonNode object) {
        return Wording.printable(object.path("kind").asText());
    }

    static ObjectName name(JsonNode object) {
        return new ObjectName(
                Wording.printable(object.path("namespace").asText()),
                Wording.printable(object.path("name").asText()));
    }

    static Optional<Instant> lastSeen(JsonNode event) {
        return Stream.of(
                        "/series/lastObservedTime",
                        "/deprecatedLastTimestamp",
                        "/eventTime",
                        "/metadata/creationTimestamp")
                .map(path -> Timestamp.of(event.at(path)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static int times(JsonNode event) {
        return Math.max(
                1,
                Math.max(
                        event.at("/series/count").asInt(),
                        event.path("deprecatedCount").asInt()));
    }
}
