/** Argo CD, Flux, Helm and the other clients, as their users run them. */
@NullMarked
package dev.gitopsinterlock.testing.client;

import org.jspecify.annotations.NullMarked;
