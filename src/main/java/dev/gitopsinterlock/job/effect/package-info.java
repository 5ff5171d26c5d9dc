/** What a Job is made of that replaces another one, or runs beside it. Pure. */
@NullMarked
package dev.gitopsinterlock.job.effect;

import org.jspecify.annotations.NullMarked;
