/** What a person is told. A rule names a code and its facts; the sentences live here, one page per code under docs/guidance. Pure. */
@NullMarked
package dev.gitopsinterlock.guidance;

import org.jspecify.annotations.NullMarked;
