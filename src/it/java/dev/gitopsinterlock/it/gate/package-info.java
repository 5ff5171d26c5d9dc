/** Rollouts of MachineConfigs that wait for syncs, on a real API server. */
@NullMarked
package dev.gitopsinterlock.it.gate;

import org.jspecify.annotations.NullMarked;
