/** What a hub tells the clusters that its Argo CD syncs to. */
@NullMarked
package dev.gitopsinterlock.cluster.hub;

import org.jspecify.annotations.NullMarked;
