/** What an API server makes of a manifest of a Job, for whoever has no API server at hand. Pure. */
@NullMarked
package dev.gitopsinterlock.job.manifest;

import org.jspecify.annotations.NullMarked;
