/** The page that shows what one replica does now: what it remembers, and how that is put for people. Pure. */
@NullMarked
package dev.gitopsinterlock.page;

import org.jspecify.annotations.NullMarked;
