/** Changes to an object's tree, as the JSON Patch that carries them. Pure. */
@NullMarked
package dev.gitopsinterlock.patch;

import org.jspecify.annotations.NullMarked;
