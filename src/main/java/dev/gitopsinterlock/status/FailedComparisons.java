package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Comparisons of Argo CD that failed, as its Events tell: of each Application the last one. For one thread. */
public final class FailedComparisons {

    private final Map<ObjectName, ForgottenSync> last = new HashMap<>();

    /** Takes note of an Event of {@code events.k8s.io/v1}, whatever it tells. */
    public void see(JsonNode event) {
        ForgottenSync.ofEvent(event)
                .ifPresent(failed -> last.merge(
                        failed.application(),
                        failed,
                        (one, other) -> one.failed().isAfter(other.failed()) ? one : other));
    }

    /** The comparison that a live Application may have forgotten. */
    public Optional<ForgottenSync> forgottenBy(JsonNode application) {
        return Optional.ofNullable(last.get(RecentEdit.name(application.path("metadata"))))
                .filter(comparison -> comparison.isForgottenBy(application));
    }
}
