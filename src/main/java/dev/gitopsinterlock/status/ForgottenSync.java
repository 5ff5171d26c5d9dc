package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.admission.Wording;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A comparison that failed, after which Argo CD may show an Application as Synced at a commit that it never applied: it
 * compares by a dry run and forgets that it was refused (argo-cd#28722). Or the commit changes nothing of this Application,
 * and the comparison failed for another reason; from outside the two look the same.
 *
 * @param application its name
 * @param failed when its comparison failed, the last time
 */
public record ForgottenSync(ObjectName application, Instant failed) {

    private static final Pattern FAILED = Pattern.compile("Updated sync status: \\w* -> Unknown");

    /** A comparison that failed, as Argo CD's Event of {@code events.k8s.io/v1} tells; empty for another one. */
    public static Optional<ForgottenSync> ofEvent(JsonNode event) {
        var regarding = event.path("regarding");
        return regarding.path("kind").asText().equals("Application")
                        && FAILED.matcher(event.path("note").asText()).matches()
                ? RecentEdit.lastSeen(event).map(at -> new ForgottenSync(RecentEdit.name(regarding), at))
                : Optional.empty();
    }

    /** Whether an Application shows Synced at another commit than the last one that it applied. */
    public static boolean isUnappliedBy(JsonNode live) {
        var status = live.path("status");
        var operation = status.path("operationState");
        return isSynced(status)
                && !(operation.path("phase").asText().equals("Succeeded") && isOfTheCommit(operation, status));
    }

    /** Whether its Application may have forgotten it: shows Synced, and has applied nothing since. */
    public boolean isForgottenBy(JsonNode live) {
        var operation = live.at("/status/operationState");
        // both are full seconds
        return isUnappliedBy(live)
                && Timestamp.of(operation.path("finishedAt"))
                        .filter(failed::isBefore)
                        .isEmpty();
    }

    /** What shows why the comparison failed. */
    public String command() {
        return "argocd app get %s/%s --hard-refresh"
                .formatted(
                        Wording.inCommand(application.namespace(), "<namespace>"),
                        Wording.inCommand(application.name(), "<name>"));
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
