/**
 * What a Job is: which of its fields the API server will not change, what it fills in, when
 * it has finished, and what we write into it. Pure: no client, clock, configuration or logger.
 */
@NullMarked
package dev.gitopsinterlock.job;

import org.jspecify.annotations.NullMarked;
