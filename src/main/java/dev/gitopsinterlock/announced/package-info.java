/** What Leases tell of syncs that run elsewhere, and what a hub writes into them. Pure: values in, values out. */
@NullMarked
package dev.gitopsinterlock.announced;

import org.jspecify.annotations.NullMarked;
