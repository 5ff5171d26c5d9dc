/** Edits that are carried out, of whatever kind: what is to be done, what came of it, and what the API server is answered. */
@NullMarked
package dev.gitopsinterlock.carryout;

import org.jspecify.annotations.NullMarked;
