/** Where manifests come from: files, folders, a stream, revisions of a Git repository. */
@NullMarked
package dev.gitopsinterlock.cli.input;

import org.jspecify.annotations.NullMarked;
