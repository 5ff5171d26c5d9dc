/** What is to be done with edits and new Jobs, as the cluster, a Namespace or a Job says. Pure. */
@NullMarked
package dev.gitopsinterlock.job.policy;

import org.jspecify.annotations.NullMarked;
