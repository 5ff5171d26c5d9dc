/** Reduces what charts render to the facts that decide whether the next release is refused. */
@NullMarked
package dev.gitopsinterlock.build.changes;

import org.jspecify.annotations.NullMarked;
