/** What keeps the log readable. */
@NullMarked
package dev.gitopsinterlock.logging;

import org.jspecify.annotations.NullMarked;
