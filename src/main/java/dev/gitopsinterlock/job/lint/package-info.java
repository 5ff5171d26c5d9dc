/** What is wrong with the manifest of a new Job, although Kubernetes accepts it. Pure. */
@NullMarked
package dev.gitopsinterlock.job.lint;

import org.jspecify.annotations.NullMarked;
