/** What was seen on which version of Kubernetes, and the page that says so. */
@NullMarked
package dev.gitopsinterlock.system.compatibility;

import org.jspecify.annotations.NullMarked;
