/** Changes of published charts and manifests, from one release to the next. */
@NullMarked
package dev.gitopsinterlock.testing.change;

import org.jspecify.annotations.NullMarked;
