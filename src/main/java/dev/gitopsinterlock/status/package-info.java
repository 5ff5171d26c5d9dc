/**
 * What people ask about: what one replica remembers, and what a cluster shows, of refused and replaced edits, of held
 * rollouts and of policies. Knows no renderer. Pure: values in, values out.
 */
@NullMarked
package dev.gitopsinterlock.status;

import org.jspecify.annotations.NullMarked;
