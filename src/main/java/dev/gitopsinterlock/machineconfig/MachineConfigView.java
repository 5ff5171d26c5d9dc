package dev.gitopsinterlock.machineconfig;

import dev.gitopsinterlock.gate.KnownObjects;
import dev.gitopsinterlock.gate.WatchedKind;
import dev.gitopsinterlock.kubernetes.Conditions;
import java.util.List;
import java.util.Optional;

/**
 * What is known of an OpenShift cluster at one moment. Empty is "not known": not read yet, not readable, or too old to
 * be trusted. A cluster without OpenShift is known to have none of these.
 *
 * @param pools all of them
 * @param upgrading whether a ClusterVersion is Progressing
 */
public record MachineConfigView(Optional<List<Pool>> pools, Optional<Boolean> upgrading) {

    private static final WatchedKind<Pool> POOLS = new WatchedKind<>(
            "machineconfiguration.openshift.io",
            "v1",
            "MachineConfigPool",
            "machineconfigpools",
            pool -> Optional.of(Pool.of(pool)));
    private static final WatchedKind<Boolean> UPGRADES = new WatchedKind<>(
            "config.openshift.io",
            "v1",
            "ClusterVersion",
            "clusterversions",
            version -> Optional.of(true).filter(yes -> Conditions.isTrue(version, "Progressing")));

    static final List<WatchedKind<?>> KINDS = List.of(POOLS, UPGRADES);

    static MachineConfigView of(KnownObjects known) {
        return new MachineConfigView(known.of(POOLS), known.of(UPGRADES).map(progressing -> !progressing.isEmpty()));
    }
}
