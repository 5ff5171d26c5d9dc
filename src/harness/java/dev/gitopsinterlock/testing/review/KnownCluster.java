package dev.gitopsinterlock.testing.review;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.RebootMakers;
import dev.gitopsinterlock.gate.Rollout;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.machineconfig.MachineConfigView;
import dev.gitopsinterlock.machineconfig.Pool;
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
        return new MachineConfigController(Gates.CONTROLLER, () -> new MachineConfigView(pools, upgrading));
    }

    public RebootMakers makers() {
        return RebootMakers.of(controller());
    }

    /** The rollout of one target to one pool, where nothing else is known. */
    public static Rollout rollout(Pool pool, String target) {
        return new KnownCluster(Optional.empty(), Optional.of(List.of(pool)), Optional.of(false))
                .controller()
                .rollout(pool, target);
    }
}
