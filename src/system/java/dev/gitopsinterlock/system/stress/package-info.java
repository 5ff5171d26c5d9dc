/** Many replacements at a time on a real API server, next to deletions and creations by the client itself. */
@NullMarked
package dev.gitopsinterlock.system.stress;

import org.jspecify.annotations.NullMarked;
