/**
 * The gate: when a rollout that restarts Nodes has to wait for running syncs, for how long, and what to say about it. It
 * knows rollouts; whose they are and how they begin is a {@link dev.gitopsinterlock.gate.RestartMaker}'s to say. Pure: no
 * client, clock, configuration or logger.
 */
@NullMarked
package dev.gitopsinterlock.gate;

import org.jspecify.annotations.NullMarked;
