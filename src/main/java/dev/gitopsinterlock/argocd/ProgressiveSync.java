package dev.gitopsinterlock.argocd;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.argocd.RunningSync.Kind;
import dev.gitopsinterlock.kubernetes.Conditions;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.SyncHold;
import java.util.Optional;

/**
 * What an ApplicationSet is going through that syncs its Applications step by step. Between two steps none of them has an
 * operation, but the condition RolloutProgressing spans them all.
 */
public final class ProgressiveSync {

    private ProgressiveSync() {}

    /**
     * The sync that an ApplicationSet stands for while it is not through with its steps; empty without one. Its beginning is that
     * of the step: Argo CD writes the condition anew for each.
     */
    public static Optional<RunningSync> of(JsonNode applicationSet) {
        return Conditions.find(applicationSet, "RolloutProgressing", "True")
                .map(condition -> new RunningSync(
                        Kind.APPLICATION,
                        ObjectMeta.namespace(applicationSet),
                        ObjectMeta.name(applicationSet) + " (ApplicationSet)",
                        applicationSet.at("/spec/template/spec/project").asText(),
                        SyncHold.SETTING.parse(ObjectMeta.annotation(applicationSet, SyncHold.SETTING.annotation())),
                        Timestamp.of(condition.path("lastTransitionTime"))));
    }
}
