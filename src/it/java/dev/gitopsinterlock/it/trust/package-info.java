/** Callers who are not the API server, and what nobody may learn. */
@NullMarked
package dev.gitopsinterlock.it.trust;

import org.jspecify.annotations.NullMarked;
