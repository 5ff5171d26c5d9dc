/**
 * The kinds beside Job some of whose fields cannot change: which fields, and what helps. Pure; nothing is carried out here.
 */
@NullMarked
package dev.gitopsinterlock.kinds;

import org.jspecify.annotations.NullMarked;
