package dev.gitopsinterlock.testing.review;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.RunningSync.Kind;
import dev.gitopsinterlock.gate.RestartMakers;
import dev.gitopsinterlock.gate.Rollout;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.machineconfig.MachineConfigView;
import dev.gitopsinterlock.machineconfig.Pool;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the gate is told of a cluster with the machine-config controller; empty is "not known".
 *
 * @param syncs those that are running
 * @param pools all of them
 * @param upgrading whether the cluster is being upgraded
 */
public record KnownCluster(Optional<List<RunningSync>> syncs, Optional<List<Pool>> pools, Optional<Boolean> upgrading) {

    public MachineConfigController controller() {
        return new MachineConfigController(Gates.CONTROLLER, this::machineConfigs);
    }

    private MachineConfigView machineConfigs() {
        return new MachineConfigView(pools, upgrading);
    }

    public RestartMakers makers() {
        return new RestartMakers(List.of(controller()));
    }

    /** A running sync of Application payments that counts. */
    public static RunningSync sync(Instant begun) {
        return new RunningSync(Kind.APPLICATION, "argocd", "payments", "default", Optional.empty(), Optional.of(begun));
    }

    /** The rollout of one target to one pool, where nothing else is known. */
    public static Rollout rollout(Pool pool, String target) {
        var cluster = new KnownCluster(Optional.empty(), Optional.of(List.of(pool)), Optional.of(false));
        return cluster.controller().rollout(pool, target, cluster.machineConfigs());
    }
}
