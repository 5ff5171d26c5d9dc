/**
 * The cluster: caches fed by informers, the few requests that are sent to the API server, and what is done there because
 * of a review. Registers the features' routes and tells them what they ask. Only what a route asks waits for the network.
 */
@NullMarked
package dev.gitopsinterlock.cluster;

import org.jspecify.annotations.NullMarked;
