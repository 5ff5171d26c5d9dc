/** Makes the container image and its AOT cache, and measures it. */
@NullMarked
package dev.gitopsinterlock.build.image;

import org.jspecify.annotations.NullMarked;
