/** What an edit that is carried out does, and what is answered then and at the API server's second pass. Pure. */
@NullMarked
package dev.gitopsinterlock.job.carryout;

import org.jspecify.annotations.NullMarked;
