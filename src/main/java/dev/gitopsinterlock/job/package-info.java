/** The rules for Jobs: which edits the API server is certain to refuse, what to say, and which policy applies. Pure: no client, clock, configuration or logger. */
@NullMarked
package dev.gitopsinterlock.job;

import org.jspecify.annotations.NullMarked;
