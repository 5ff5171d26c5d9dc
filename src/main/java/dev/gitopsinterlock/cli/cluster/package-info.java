/**
 * The cluster, as the command line asks it: by kubectl, which knows every way to sign in, with the rights of whoever
 * calls, and reading only.
 */
@NullMarked
package dev.gitopsinterlock.cli.cluster;

import org.jspecify.annotations.NullMarked;
