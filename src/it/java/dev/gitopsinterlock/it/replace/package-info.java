/** Edits that are carried out, on a real API server: what comes out, what may stand in the way, what may go wrong. */
@NullMarked
package dev.gitopsinterlock.it.replace;

import org.jspecify.annotations.NullMarked;
