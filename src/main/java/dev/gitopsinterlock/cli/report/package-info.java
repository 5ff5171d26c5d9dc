/** What was found, for people and for programs. */
@NullMarked
package dev.gitopsinterlock.cli.report;

import org.jspecify.annotations.NullMarked;
