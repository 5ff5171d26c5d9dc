package dev.gitopsinterlock.status;

import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.Gate.Closed;
import dev.gitopsinterlock.gate.GateRule;
import dev.gitopsinterlock.gate.Rollout;
import dev.gitopsinterlock.gate.RolloutHeld;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.machineconfig.MachineConfigView;
import dev.gitopsinterlock.machineconfig.Pool;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Which rollouts the gate holds now, by its own rule.
 *
 * @param installed with the gate's policy
 * @param view of the pools
 * @param syncs those that are running; empty where that is not known
 * @param ages when what a rollout brings was made, and when it was first refused
 */
public record HeldRollouts(
        InstalledPolicy installed, MachineConfigView view, Optional<List<RunningSync>> syncs, Ages ages) {

    /** What has to be asked for each rollout. */
    public interface Ages {

        /** When the object at this path of the API was made; empty where that is not known. */
        Optional<Instant> created(String path);

        /** When a rollout of this pool was first refused since then; empty where nothing tells. */
        Optional<Instant> refusedSince(String pool, Instant created);
    }

    /** Of all pools whose Nodes do not have yet what they are to have. */
    public List<RolloutHeld> at(Instant now) {
        if (!installed.gate().isEnabled()) {
            return List.of();
        }
        var controller = new MachineConfigController(installed.controller(), () -> view);
        return view.pools().orElse(List.of()).stream()
                .filter(pool -> pool.isRollingOut(pool.target()))
                .map(pool -> held(pool, controller.rollout(pool, pool.target(), view), now))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<RolloutHeld> held(Pool pool, Rollout rollout, Instant now) {
        if (!(GateRule.look(rollout, syncs, installed.gate(), now) instanceof Closed closed)) {
            return Optional.empty();
        }
        return rollout.evidence()
                .revision()
                .flatMap(ages::created)
                .flatMap(created ->
                        GateRule.held(closed, created, ages.refusedSince(pool.name(), created), installed.gate(), now));
    }
}
