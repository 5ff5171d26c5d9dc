package dev.gitopsinterlock.machineconfig;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.kubernetes.Conditions;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What the rules read of a MachineConfigPool.
 *
 * @param name of the pool
 * @param uid of the pool
 * @param labels of the pool
 * @param nodes which Nodes are its own
 * @param configs which MachineConfigs it is made of
 * @param target the rendered MachineConfig that its Nodes are to have; empty before there is one
 * @param isPaused whether its Nodes keep what they have
 * @param updatingSince when the condition Updating became true; empty while it is not
 * @param updatedSince when all of its Nodes had the target, by the condition Updated; empty while they have not
 * @param machines how many Nodes it has
 * @param syncHold what its annotation says, as written; empty without one
 */
public record Pool(
        String name,
        String uid,
        Map<String, String> labels,
        LabelSelector nodes,
        LabelSelector configs,
        String target,
        boolean isPaused,
        Optional<Instant> updatingSince,
        Optional<Instant> updatedSince,
        int machines,
        Optional<String> syncHold) {

    /** Those that an upgrade of the cluster waits for: master, and arbiter where there is one. */
    private static final String REQUIRED = "operator.machineconfiguration.openshift.io/required-for-upgrade";

    public Pool {
        labels = Map.copyOf(labels);
    }

    public static Pool of(JsonNode pool) {
        var spec = pool.path("spec");
        return new Pool(
                ObjectMeta.name(pool),
                ObjectMeta.uid(pool),
                ObjectMeta.texts(ObjectMeta.labels(pool)),
                LabelSelector.of(spec.path("nodeSelector")),
                LabelSelector.of(spec.path("machineConfigSelector")),
                spec.path("configuration").path("name").asText(),
                spec.path("paused").asBoolean(),
                trueSince(pool, "Updating"),
                trueSince(pool, "Updated"),
                pool.path("status").path("machineCount").asInt(),
                Optional.ofNullable(
                        ObjectMeta.texts(ObjectMeta.annotations(pool)).get(SyncHold.SETTING.annotation())));
    }

    private static Optional<Instant> trueSince(JsonNode pool, String type) {
        return Conditions.find(pool, type, "True")
                .flatMap(condition -> Timestamp.of(condition.path("lastTransitionTime")));
    }

    /** Whether its Nodes are to have the configuration now, and not all of them have what they are to have. */
    public boolean isRollingOut(String configuration) {
        return target.equals(configuration) && updatedSince.isEmpty() && !isPaused;
    }

    boolean isRequiredForUpgrade() {
        return labels.containsKey(REQUIRED);
    }

    /** What its annotation says, where it says anything that exists. */
    SyncHold holdSetting() {
        return syncHold.flatMap(SyncHold.SETTING::parse).orElse(SyncHold.ENABLED);
    }
}
