package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.guidance.Preview;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What became of an edit.
 *
 * @param at when, the last time
 * @param outcome what became of it
 * @param kind of the object
 * @param object that was to be changed, or that took its place
 * @param times how often
 * @param about a code and who said it, or what changed
 */
public record RecentEdit(Instant at, EditOutcome outcome, String kind, ObjectName object, int times, String about) {

    private static final String JOB = "Job";

    private static final String OURS = "gitops-interlock.dev/webhook";

    /** Between a Job's creation and the Event about it. */
    private static final long SAME_SECONDS = 30;

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
                    .map(outcome -> new RecentEdit(
                            at.get(), outcome, kind(regarding), name(regarding), times(event), about(outcome, note)))
                    .stream()
                    .toList();
        }
        return QuotedDenial.in(note).stream()
                .map(denial -> new RecentEdit(
                        at.get(),
                        EditOutcome.REFUSED,
                        denial.kind(),
                        denial.object(),
                        times(event),
                        "%s, %s %s".formatted(denial.code(), kind(regarding), name(regarding))))
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

    /** What is worth a line: of a refusal the code, and what would have become of it; what to do stands elsewhere. */
    private static String about(EditOutcome outcome, String note) {
        return switch (outcome) {
            case REPLACED, RUN_BESIDE, WARNED -> Wording.printable(note);
            case REFUSED -> code(note);
            case PREVIEWED -> code(note) + Preview.in(note).map(", "::concat).orElse("");
        };
    }

    private static String code(String note) {
        return QuotedDenial.inOurs(note).map(QuotedDenial::code).orElse("");
    }

    /** What the Job itself tells, for longer than Events are kept. */
    public static Optional<RecentEdit> ofJob(JsonNode job) {
        var metadata = job.path("metadata");
        var outcome = job.at(OurMetadata.annotation(OurMetadata.REPLACED)).isTextual()
                ? Optional.of(EditOutcome.REPLACED)
                : Optional.of(EditOutcome.RUN_BESIDE).filter(ran -> OurMetadata.isRun(job));
        return outcome.flatMap(known -> Timestamp.of(metadata.path("creationTimestamp"))
                .map(at -> new RecentEdit(at, known, JOB, name(metadata), 1, "")));
    }

    /** Whether another one says as much and more, so that it suffices. */
    boolean isCoveredBy(RecentEdit other) {
        return outcome == other.outcome
                && kind.equals(other.kind)
                && object.equals(other.object)
                && other.about.length() > about.length()
                && other.about.startsWith(about)
                && (outcome == EditOutcome.REFUSED
                        || Math.abs(at.getEpochSecond() - other.at.getEpochSecond()) <= SAME_SECONDS);
    }

    /** Whether it is one of a Job. */
    public boolean isOfJob() {
        return kind.equals(JOB);
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
