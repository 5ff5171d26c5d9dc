/** Makes the pages that the service serves out of the docs. */
@NullMarked
package dev.gitopsinterlock.build.pages;

import org.jspecify.annotations.NullMarked;
