/** Settings from properties and environment, checked as a whole before the first review is answered. */
@NullMarked
package dev.gitopsinterlock.config;

import org.jspecify.annotations.NullMarked;
