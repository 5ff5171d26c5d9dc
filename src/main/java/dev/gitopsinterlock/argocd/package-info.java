/** What Argo CD's Applications tell: which syncs are running, and which of them count. Pure: values in, values out. */
@NullMarked
package dev.gitopsinterlock.argocd;

import org.jspecify.annotations.NullMarked;
