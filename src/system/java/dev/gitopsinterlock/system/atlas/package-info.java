/** The atlas of immutable fields in docs/immutability: what the tables say, and how many edits stand behind it. */
@NullMarked
package dev.gitopsinterlock.system.atlas;

import org.jspecify.annotations.NullMarked;
