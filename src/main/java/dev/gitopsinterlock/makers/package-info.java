/** Which makers of restarts there are. Pure. */
@NullMarked
package dev.gitopsinterlock.makers;

import org.jspecify.annotations.NullMarked;
