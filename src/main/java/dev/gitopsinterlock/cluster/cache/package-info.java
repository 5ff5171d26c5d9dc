/**
 * What is kept up to date by watches, so that reading it never waits and never fails.
 */
@NullMarked
package dev.gitopsinterlock.cluster.cache;

import org.jspecify.annotations.NullMarked;
