/** A control plane with the service in it, and what such a cluster has. */
@NullMarked
package dev.gitopsinterlock.testing.cluster;

import org.jspecify.annotations.NullMarked;
