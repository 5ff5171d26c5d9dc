/** What a person is told. A rule names a code and its facts; the remedy of each is on its page under docs/guidance. Pure. */
@NullMarked
package dev.gitopsinterlock.guidance;

import org.jspecify.annotations.NullMarked;
