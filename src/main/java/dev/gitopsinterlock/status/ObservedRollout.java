package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.admission.Wording;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A rollout that was not held because it was only observed, as an Event tells.
 *
 * @param at when the Event was written
 * @param isOver whether it tells how long the rollout would have been held; otherwise, that it would be
 * @param subject that the Event is about
 * @param note in one line
 */
public record ObservedRollout(Instant at, boolean isOver, Subject subject, String note) {

    /** The reason of the Event when it begins. */
    public static final String BEGINS = "RolloutWouldWait";

    /** The reason of the Event when it ends. */
    public static final String ENDS = "RolloutWouldGoOn";

    private static final String OURS = "gitops-interlock.dev/webhook";

    /** What an Event of {@code events.k8s.io/v1} tells; empty for another one. */
    public static Optional<ObservedRollout> ofEvent(JsonNode event) {
        var reason = event.path("reason").asText();
        if (!event.path("reportingController").asText().equals(OURS)
                || !(reason.equals(BEGINS) || reason.equals(ENDS))) {
            return Optional.empty();
        }
        return Subject.ofEvent(event)
                .flatMap(subject -> Timestamp.of(event.path("eventTime"))
                        .map(at -> new ObservedRollout(
                                at,
                                reason.equals(ENDS),
                                subject,
                                Wording.printable(event.path("note").asText()))));
    }

    /**
     * Observations, the newest first; without beginnings whose end is known, or of which more is known.
     *
     * @param known of these more is known
     */
    static List<ObservedRollout> newest(List<ObservedRollout> all, Set<Subject> known) {
        var told = new ArrayList<ObservedRollout>();
        var later = new HashSet<>(known);
        all.stream()
                .sorted(Comparator.comparing(ObservedRollout::at).reversed())
                .filter(each -> each.isOver() || !later.contains(each.subject()))
                .forEach(each -> {
                    told.add(each);
                    later.add(each.subject());
                });
        return told;
    }
}
