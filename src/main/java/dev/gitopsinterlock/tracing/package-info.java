/** Where the time of a review went, for those who follow requests through their cluster; see docs/monitoring.md. */
@NullMarked
package dev.gitopsinterlock.tracing;

import org.jspecify.annotations.NullMarked;
