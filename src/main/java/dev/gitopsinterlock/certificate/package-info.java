/**
 * The serving certificate: read from files, checked, and swapped under open connections when it changes. And the
 * certificates by which callers are known, where they are asked for.
 */
@NullMarked
package dev.gitopsinterlock.certificate;

import org.jspecify.annotations.NullMarked;
