package dev.gitopsinterlock.upgradeplan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.kubernetes.Conditions;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the rules read of a Plan.
 *
 * @param namespace of the Plan
 * @param name of the Plan
 * @param uid of the Plan
 * @param version that its Nodes are to have; empty before there is one
 * @param applying names of the Nodes that it has taken up and that do not have that yet
 * @param underWaySince when its controller began to bring that to Nodes, by the condition Complete; empty while it has not
 * @param completeSince when all Nodes had it; empty while they have not
 * @param holdSetting what its annotations say of waiting; of two, the one that holds less
 */
public record UpgradePlan(
        String namespace,
        String name,
        String uid,
        String version,
        List<String> applying,
        Optional<Instant> underWaySince,
        Optional<Instant> completeSince,
        SyncHold holdSetting) {

    /**
     * The controller copies annotations into the templates of its Jobs, and makes those anew that are running, unless
     * their keys end like this.
     */
    static final String PREFIX = "gitops-interlock.dev.cattle.io/";

    static final String SYNC_HOLD = PREFIX + "sync-hold";

    public UpgradePlan {
        applying = List.copyOf(applying);
    }

    public static UpgradePlan of(JsonNode plan) {
        var status = plan.path("status");
        return new UpgradePlan(
                ObjectMeta.namespace(plan),
                ObjectMeta.name(plan),
                ObjectMeta.uid(plan),
                status.path("latestVersion").asText(),
                status.path("applying").valueStream().map(JsonNode::asText).toList(),
                complete(plan, "False").filter(since -> !status.path("applying").isEmpty()),
                complete(plan, "True"),
                holdSetting(plan, SYNC_HOLD).weaker(holdSetting(plan, SyncHold.SETTING.annotation())));
    }

    /** Where it says anything that exists. */
    private static SyncHold holdSetting(JsonNode plan, String annotation) {
        return Optional.of(ObjectMeta.annotations(plan).path(annotation))
                .filter(JsonNode::isTextual)
                .flatMap(said -> SyncHold.SETTING.parse(said.asText()))
                .orElse(SyncHold.ENABLED);
    }

    /** Since when the condition says this. Its time changes with it and its message, and not from Node to Node. */
    private static Optional<Instant> complete(JsonNode plan, String status) {
        return Conditions.find(plan, "Complete", status)
                .flatMap(condition -> Timestamp.of(condition.path("lastUpdateTime")));
    }
}
