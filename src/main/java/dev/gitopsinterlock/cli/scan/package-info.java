/** What a scan of a cluster found, and the ways to write it. */
@NullMarked
package dev.gitopsinterlock.cli.scan;

import org.jspecify.annotations.NullMarked;
