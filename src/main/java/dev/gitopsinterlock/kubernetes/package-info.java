/** What every object of the Kubernetes API has, read from its tree. Pure; knows nothing of ours. */
@NullMarked
package dev.gitopsinterlock.kubernetes;

import org.jspecify.annotations.NullMarked;
