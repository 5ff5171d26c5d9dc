/** Edits of the kinds beside Job, on a real API server. */
@NullMarked
package dev.gitopsinterlock.it.kinds;

import org.jspecify.annotations.NullMarked;
