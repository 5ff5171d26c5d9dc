/**
 * Random legal Jobs and random edits, sent to a real API server with and without the service. The edits are drawn from
 * the API server's own description of a Job, so that a field that nobody thought of is edited as well.
 */
@NullMarked
package dev.gitopsinterlock.system.differential;

import org.jspecify.annotations.NullMarked;
