/**
 * The cluster, as the command line asks it, with the rights of whoever calls: by kubectl, which knows every way to sign
 * in, or as the service account of a Pod.
 */
@NullMarked
package dev.gitopsinterlock.cli.cluster;

import org.jspecify.annotations.NullMarked;
