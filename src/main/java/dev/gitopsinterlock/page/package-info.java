/** The page that shows what one replica does now: how {@code status} is put for people who look by a browser. Pure. */
@NullMarked
package dev.gitopsinterlock.page;

import org.jspecify.annotations.NullMarked;
