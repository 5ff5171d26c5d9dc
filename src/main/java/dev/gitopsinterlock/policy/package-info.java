/** What is done with edits and new Jobs, as the cluster, a Namespace or an object says by annotations. Pure. */
@NullMarked
package dev.gitopsinterlock.policy;

import org.jspecify.annotations.NullMarked;
