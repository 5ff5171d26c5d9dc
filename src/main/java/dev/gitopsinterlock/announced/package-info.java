/** What Leases tell of syncs that run elsewhere. Pure: values in, values out. */
@NullMarked
package dev.gitopsinterlock.announced;

import org.jspecify.annotations.NullMarked;
