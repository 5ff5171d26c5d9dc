/** The status page, in a real browser. */
@NullMarked
package dev.gitopsinterlock.tools.page;

import org.jspecify.annotations.NullMarked;
