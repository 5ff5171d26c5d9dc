/**
 * Whether an installation works, told from the outside: each check takes what a cluster shows and returns what is wrong
 * and the command that fixes it. Pure: what was read is passed in.
 */
@NullMarked
package dev.gitopsinterlock.doctor;

import org.jspecify.annotations.NullMarked;
