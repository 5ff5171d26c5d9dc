/** How tests run and wait. */
@NullMarked
package dev.gitopsinterlock.testing.run;

import org.jspecify.annotations.NullMarked;
