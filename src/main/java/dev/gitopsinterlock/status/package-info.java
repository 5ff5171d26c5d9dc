/** What a cluster shows now of refused and replaced edits, of held rollouts and of policies. Pure: values in, values out. */
@NullMarked
package dev.gitopsinterlock.status;

import org.jspecify.annotations.NullMarked;
