/** The rules for MachineConfigs: when a Node has to wait with its new configuration, and what to say about it. Pure: no client, clock, configuration or logger. */
@NullMarked
package dev.gitopsinterlock.machineconfig;

import org.jspecify.annotations.NullMarked;
