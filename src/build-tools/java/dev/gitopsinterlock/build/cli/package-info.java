/** Packages the command line with a Java runtime of its own. */
@NullMarked
package dev.gitopsinterlock.build.cli;

import org.jspecify.annotations.NullMarked;
