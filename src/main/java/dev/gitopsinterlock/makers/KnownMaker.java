package dev.gitopsinterlock.makers;

import dev.gitopsinterlock.gate.KnownObjects;
import dev.gitopsinterlock.gate.RestartMaker;
import dev.gitopsinterlock.gate.RestartMakers;
import dev.gitopsinterlock.machineconfig.InPlaceUpgrader;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.upgradeplan.UpgradeController;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** All makers of restarts whose rollouts can be held. A new one is two lines here; its setting follows. */
public enum KnownMaker {
    MACHINE_CONFIG_CONTROLLER("machineConfigs"),
    UPGRADE_CONTROLLER("upgradePlans"),
    IN_PLACE_UPGRADER("inPlaceNodePools");

    private final String feature;

    KnownMaker(String feature) {
        this.feature = feature;
    }

    /** What its value of the chart and its rights are called. */
    public String feature() {
        return feature;
    }

    /** The name of the setting that has its user. */
    public String setting() {
        return feature.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT) + ".controller";
    }

    /**
     * Whether the cluster does not say when a rollout of this one began, so that its limit counts from a refusal that is
     * remembered. Only those of proven callers are: without proof nothing is held.
     */
    public boolean needsProof() {
        return this == IN_PLACE_UPGRADER;
    }

    /** The one that is called so there. */
    public static Optional<KnownMaker> named(String feature) {
        return Arrays.stream(values())
                .filter(maker -> maker.feature.equals(feature))
                .findFirst();
    }

    private RestartMaker of(String user, KnownObjects known) {
        return switch (this) {
            case MACHINE_CONFIG_CONTROLLER -> MachineConfigController.of(user, known);
            case UPGRADE_CONTROLLER -> new UpgradeController(user, known);
            case IN_PLACE_UPGRADER -> new InPlaceUpgrader(user, known);
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
