/**
 * MachineConfigs for the gate: which change of a Node begins which rollout, and which change of a MachineConfig leads to
 * one. Pure: no client, clock, configuration or logger.
 */
@NullMarked
package dev.gitopsinterlock.machineconfig;

import org.jspecify.annotations.NullMarked;
