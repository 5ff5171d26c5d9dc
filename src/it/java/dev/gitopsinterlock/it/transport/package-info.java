/** Bytes, connections and certificates: whatever comes in over HTTPS. */
@NullMarked
package dev.gitopsinterlock.it.transport;

import org.jspecify.annotations.NullMarked;
