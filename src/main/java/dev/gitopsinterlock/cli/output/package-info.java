/** How the words of others are written, so that nobody who reads the output obeys them. */
@NullMarked
package dev.gitopsinterlock.cli.output;

import org.jspecify.annotations.NullMarked;
