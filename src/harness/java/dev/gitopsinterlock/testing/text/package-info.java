/** Texts, trees, manifests and goldens. */
@NullMarked
package dev.gitopsinterlock.testing.text;

import org.jspecify.annotations.NullMarked;
