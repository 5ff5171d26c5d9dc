/** Reviews and cases, and what they need of the core. */
@NullMarked
package dev.gitopsinterlock.testing.review;

import org.jspecify.annotations.NullMarked;
