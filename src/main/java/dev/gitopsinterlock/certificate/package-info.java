/** The serving certificate: read from files, checked, and swapped under open connections when it changes. */
@NullMarked
package dev.gitopsinterlock.certificate;

import org.jspecify.annotations.NullMarked;
