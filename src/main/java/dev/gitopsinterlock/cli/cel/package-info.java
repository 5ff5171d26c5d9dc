/** The Common Expression Language as Kubernetes has it, by a library that is in the command line's own archive alone. */
@NullMarked
package dev.gitopsinterlock.cli.cel;

import org.jspecify.annotations.NullMarked;
