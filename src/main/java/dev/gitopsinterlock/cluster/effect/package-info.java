/**
 * Carries Job edits out, finishes what another replica began, and registers the routes for Jobs.
 */
@NullMarked
package dev.gitopsinterlock.cluster.effect;

import org.jspecify.annotations.NullMarked;
