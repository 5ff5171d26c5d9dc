package dev.gitopsinterlock.testing.review;

import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.gate.Rollout.Scope;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.util.List;

/** Policies of the gate. */
public final class Gates {

    public static final String CONTROLLER =
            "system:serviceaccount:openshift-machine-config-operator:machine-config-controller";

    /** The usual times, for the syncs of any Namespace and project. */
    public static final GatePolicy ENABLED = new GatePolicy(
            SyncHold.ENABLED,
            Duration.ofMinutes(20),
            Duration.ofMinutes(10),
            new SyncScope(List.of("*"), List.of("*"), Duration.ofHours(1), List.of("interlock")),
            false,
            false);

    private Gates() {}

    /** What a rollout of this MachineConfigPool concerns. */
    public static Scope pool(String name) {
        var pool = Pool.of(Trees.json("{'metadata': {'name': '%s', 'uid': 'u'}}".formatted(name)));
        return KnownCluster.rollout(pool, "").scope();
    }
}
