package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Timestamp;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An Application that Argo CD shows as Synced at a commit that it never applied, after a comparison that failed. Argo CD
 * compares by a dry run and forgets that it was refused (argo-cd#28722); or the commit changes nothing of this Application,
 * and the comparison failed for another reason. From outside the two look the same.
 *
 * @param application its name
 * @param failed when its comparison failed, the last time
 */
public record ForgottenSync(ObjectName application, Instant failed) {

    /**
     * A comparison that failed, as Argo CD's Event on the Application tells.
     *
     * @param application its name
     * @param at when, the last time
     */
    public record FailedComparison(ObjectName application, Instant at) {

        private static final Pattern NOTE = Pattern.compile("Updated sync status: \\w* -> Unknown");

        /** What an Event of {@code events.k8s.io/v1} tells; empty for another one. */
        public static Optional<FailedComparison> ofEvent(JsonNode event) {
            var regarding = event.path("regarding");
            return regarding.path("kind").asText().equals("Application")
                            && NOTE.matcher(event.path("note").asText()).matches()
                    ? RecentEdit.lastSeen(event).map(at -> new FailedComparison(RecentEdit.name(regarding), at))
                    : Optional.empty();
        }
    }

    /** Whether what failed may have been forgotten by this Application. */
    public static Optional<ForgottenSync> of(JsonNode application, FailedComparison comparison) {
        var status = application.path("status");
        var operation = status.path("operationState");
        var isUnapplied = isSynced(status)
                && !(operation.path("phase").asText().equals("Succeeded") && isOfTheCommit(operation, status));
        // both are full seconds
        var isEarlier = Timestamp.of(operation.path("finishedAt"))
                .filter(comparison.at()::isBefore)
                .isPresent();
        return ObjectName.of(application).equals(comparison.application()) && isUnapplied && !isEarlier
                ? Optional.of(new ForgottenSync(comparison.application(), comparison.at()))
                : Optional.empty();
    }

    static boolean isSynced(JsonNode status) {
        return status.at("/sync/status").asText().equals("Synced");
    }

    /** Whether the newest operation was for what Argo CD compares with: the revision of a chart says nothing of its values. */
    static boolean isOfTheCommit(JsonNode operation, JsonNode status) {
        var synced = operation.path("syncResult");
        var sync = status.path("sync");
        return (sync.has("revision") || sync.has("revisions"))
                && Stream.of("revision", "revisions")
                        .allMatch(name -> sync.path(name).equals(synced.path(name)))
                && Stream.of("source", "sources")
                        .allMatch(name -> sync.path("comparedTo").path(name).equals(synced.path(name)));
    }
}
