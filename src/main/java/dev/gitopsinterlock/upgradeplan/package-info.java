/**
 * The system-upgrade-controller of K3s and RKE2 as a maker of restarts: what it writes before a Node is upgraded, and how
 * its Plans stand. Pure.
 */
@NullMarked
package dev.gitopsinterlock.upgradeplan;

import org.jspecify.annotations.NullMarked;
