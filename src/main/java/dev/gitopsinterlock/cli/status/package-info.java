/** What a cluster shows now: how it is read, and the ways to write it. */
@NullMarked
package dev.gitopsinterlock.cli.status;

import org.jspecify.annotations.NullMarked;
