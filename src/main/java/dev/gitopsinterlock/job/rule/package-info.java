/** The routes for Jobs, and the rules that answer them. Pure. */
@NullMarked
package dev.gitopsinterlock.job.rule;

import org.jspecify.annotations.NullMarked;
