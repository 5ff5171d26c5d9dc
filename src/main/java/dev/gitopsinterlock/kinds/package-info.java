/**
 * The kinds beside Job some of whose fields cannot change: which fields, what helps, and how a
 * StatefulSet is replaced. Pure.
 */
@NullMarked
package dev.gitopsinterlock.kinds;

import org.jspecify.annotations.NullMarked;
