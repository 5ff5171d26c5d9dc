package dev.gitopsinterlock.machineconfig;

import dev.gitopsinterlock.argocd.RunningSync;
import java.util.List;
import java.util.Optional;

/**
 * What is known of the cluster at one moment. Empty is "not known": not read yet, not readable, or too old to be
 * trusted. A cluster without Argo CD or without OpenShift is known to have none of these.
 *
 * @param syncs those that are running, counted or not
 * @param pools all of them
 * @param upgrading whether a ClusterVersion is Progressing
 */
public record ClusterView(Optional<List<RunningSync>> syncs, Optional<List<Pool>> pools, Optional<Boolean> upgrading) {}
