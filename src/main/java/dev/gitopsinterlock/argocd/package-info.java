/** What Argo CD reads: which syncs are running and which of them count, and the annotations of hooks and options. Pure. */
@NullMarked
package dev.gitopsinterlock.argocd;

import org.jspecify.annotations.NullMarked;
