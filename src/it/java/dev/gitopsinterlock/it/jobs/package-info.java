/** Edits of Jobs, and new Jobs, on a real API server. */
@NullMarked
package dev.gitopsinterlock.it.jobs;

import org.jspecify.annotations.NullMarked;
