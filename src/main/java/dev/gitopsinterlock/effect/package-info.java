/** Edits that are carried out, of whatever kind: what is to be done, and what came of it. Pure. */
@NullMarked
package dev.gitopsinterlock.effect;

import org.jspecify.annotations.NullMarked;
