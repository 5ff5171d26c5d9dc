/**
 * The few requests that are sent to the API server, through two ports (the wire and the clock), and Events. Whoever calls
 * here waits for the network.
 */
@NullMarked
package dev.gitopsinterlock.cluster.api;

import org.jspecify.annotations.NullMarked;
