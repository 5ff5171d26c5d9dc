/** Spans of reviews, as a collector gets them. */
@NullMarked
package dev.gitopsinterlock.it.tracing;

import org.jspecify.annotations.NullMarked;
