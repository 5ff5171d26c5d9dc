/** Random rollouts and random syncs on a real API server, with and without us: no node begins within a sync, or beside a marked Job. */
@NullMarked
package dev.gitopsinterlock.system.rollout;

import org.jspecify.annotations.NullMarked;
