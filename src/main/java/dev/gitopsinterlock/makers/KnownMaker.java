package dev.gitopsinterlock.makers;

import dev.gitopsinterlock.gate.KnownObjects;
import dev.gitopsinterlock.gate.RestartMaker;
import dev.gitopsinterlock.gate.RestartMakers;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.upgradeplan.UpgradeController;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BiFunction;

/** All makers of restarts whose rollouts can be held. A new one is a line here. */
public enum KnownMaker {
    MACHINE_CONFIG_CONTROLLER(MachineConfigController::of),
    UPGRADE_CONTROLLER(UpgradeController::new);

    private final BiFunction<String, KnownObjects, RestartMaker> maker;

    KnownMaker(BiFunction<String, KnownObjects, RestartMaker> maker) {
        this.maker = maker;
    }

    /**
     * Those that the settings name.
     *
     * @param users their user names
     * @param known what is known of their cluster
     */
    public static RestartMakers of(Map<KnownMaker, String> users, KnownObjects known) {
        return new RestartMakers(Arrays.stream(values())
                .filter(users::containsKey)
                .map(each -> each.maker.apply(users.get(each), known))
                .toList());
    }
}
