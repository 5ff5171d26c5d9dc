/** The package as it ships, and the AOT cache that belongs to it. */
@NullMarked
package dev.gitopsinterlock.tools.packaging;

import org.jspecify.annotations.NullMarked;
