package dev.gitopsinterlock.flux;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.kubernetes.Conditions;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a Kustomization is going through while its controller brings a revision to the cluster for the first time, and waits for its
 * health where it is told to.
 *
 * <p>Flux reconciles again and again: what it has applied, to find drift, and what failed, until it succeeds. So the condition
 * Reconciling alone holds nothing: it is {@code True} for as long as a revision fails. The first try is told from the others by the
 * history of the status, whose newest entry names the revision of the last one that ended (Flux 2.7).
 */
public final class Reconciliation {

    /** For which one without any history counts: it is new, or its controller writes none. */
    private static final Duration NEW = Duration.ofHours(1);

    private Reconciliation() {}

    /** The revision that a Kustomization brings; empty where none is on its way for the first time. */
    public static Optional<RunningSync> of(JsonNode kustomization) {
        return progressingSince(kustomization)
                .filter(begun -> isFirstTry(kustomization, begun))
                .map(begun -> RunningSync.ofKustomization(
                        ObjectMeta.namespace(kustomization),
                        ObjectMeta.name(kustomization),
                        SyncHold.SETTING.parse(ObjectMeta.annotation(kustomization, SyncHold.SETTING.annotation())),
                        begun));
    }

    /** The condition Reconciling gets another time with each step; this one has that of the first. */
    private static Optional<Instant> progressingSince(JsonNode kustomization) {
        if (kustomization.at("/spec/suspend").asBoolean()) {
            return Optional.empty();
        }
        return Conditions.find(kustomization, "Ready", "Unknown")
                .filter(condition -> condition.path("reason").asText().equals("Progressing"))
                .flatMap(condition -> Timestamp.of(condition.path("lastTransitionTime")));
    }

    private static boolean isFirstTry(JsonNode kustomization, Instant begun) {
        var status = kustomization.path("status");
        var attempted = status.path("lastAttemptedRevision").asText();
        if (attempted.isEmpty()) {
            return false;
        }
        var history = status.path("history");
        return history.isEmpty()
                ? status.path("lastAppliedRevision").asText().isEmpty() && isNew(kustomization, begun)
                : !history.path(0).at("/metadata/revision").asText().equals(attempted);
    }

    private static boolean isNew(JsonNode kustomization, Instant begun) {
        return Timestamp.of(kustomization.at("/metadata/creationTimestamp"))
                .filter(created -> begun.isBefore(created.plus(NEW)))
                .isPresent();
    }
}
