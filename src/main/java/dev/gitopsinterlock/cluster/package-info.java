/** What we know of the cluster beside the review: caches fed by informers. Nothing here is asked for during a review over the network. */
@NullMarked
package dev.gitopsinterlock.cluster;

import org.jspecify.annotations.NullMarked;
