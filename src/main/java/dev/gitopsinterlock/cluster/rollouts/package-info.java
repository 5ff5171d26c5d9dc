/**
 * Tells the gate of the cluster, watches over what it holds, and registers its routes.
 */
@NullMarked
package dev.gitopsinterlock.cluster.rollouts;

import org.jspecify.annotations.NullMarked;
