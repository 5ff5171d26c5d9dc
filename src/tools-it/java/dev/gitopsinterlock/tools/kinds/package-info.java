/** Edits of the kinds beside Job, by the tools that people use. */
@NullMarked
package dev.gitopsinterlock.tools.kinds;

import org.jspecify.annotations.NullMarked;
