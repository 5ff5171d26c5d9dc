package dev.gitopsinterlock.makers;

import dev.gitopsinterlock.gate.KnownObjects;
import dev.gitopsinterlock.gate.RestartMaker;
import dev.gitopsinterlock.gate.RestartMakers;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.upgradeplan.UpgradeController;
import java.util.Map;

/** All makers of restarts whose rollouts can be held. A new one is two lines here, and its user a line in {@code Settings}. */
public enum KnownMaker {
    MACHINE_CONFIG_CONTROLLER,
    UPGRADE_CONTROLLER;

    private RestartMaker of(String user, KnownObjects known) {
        return switch (this) {
            case MACHINE_CONFIG_CONTROLLER -> MachineConfigController.of(user, known);
            case UPGRADE_CONTROLLER -> new UpgradeController(user, known);
        };
    }

    /**
     * The makers that the settings name.
     *
     * @param users their user names
     * @param known what is known of their cluster
     */
    public static RestartMakers of(Map<KnownMaker, String> users, KnownObjects known) {
        return new RestartMakers(users.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> each.getKey().of(each.getValue(), known))
                .toList());
    }
}
