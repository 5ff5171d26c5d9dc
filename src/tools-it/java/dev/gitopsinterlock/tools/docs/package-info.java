/** The prose of the documentation. */
@NullMarked
package dev.gitopsinterlock.tools.docs;

import org.jspecify.annotations.NullMarked;
