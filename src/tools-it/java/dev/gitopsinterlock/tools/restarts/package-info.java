/** The gate with real makers of restarts. */
@NullMarked
package dev.gitopsinterlock.tools.restarts;

import org.jspecify.annotations.NullMarked;
