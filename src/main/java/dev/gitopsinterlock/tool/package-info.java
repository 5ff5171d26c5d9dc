/** Who sent a change and which tool owns the object, told apart by users, field managers and marks. Everything here can be forged, so it chooses words and never grants anything. Pure. */
@NullMarked
package dev.gitopsinterlock.tool;

import org.jspecify.annotations.NullMarked;
