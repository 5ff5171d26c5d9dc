package dev.gitopsinterlock.machineconfig;

import java.util.List;
import java.util.Optional;

/**
 * What is known of an OpenShift cluster at one moment. Empty is "not known": not read yet, not readable, or too old to
 * be trusted. A cluster without OpenShift is known to have none of these.
 *
 * @param pools all of them
 * @param upgrading whether a ClusterVersion is Progressing
 */
public record MachineConfigView(Optional<List<Pool>> pools, Optional<Boolean> upgrading) {}
