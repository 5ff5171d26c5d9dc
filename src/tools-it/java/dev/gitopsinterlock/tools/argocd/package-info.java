/** What Argo CD does and shows, with and without us. */
@NullMarked
package dev.gitopsinterlock.tools.argocd;

import org.jspecify.annotations.NullMarked;
