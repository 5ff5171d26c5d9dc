/** What the service costs as a cluster grows: Namespaces, Applications, edits at a time, Nodes, replicas. */
@NullMarked
package dev.gitopsinterlock.system.scale;

import org.jspecify.annotations.NullMarked;
