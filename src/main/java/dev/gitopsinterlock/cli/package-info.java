/**
 * The command line: commands, exit codes, and what is read and written. The rules are those of
 * {@link dev.gitopsinterlock.check}.
 */
@NullMarked
package dev.gitopsinterlock.cli;

import org.jspecify.annotations.NullMarked;
