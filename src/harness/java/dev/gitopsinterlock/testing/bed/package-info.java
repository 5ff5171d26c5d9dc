/** The test bed: a real control plane, its tools, and a Namespace to work in. */
@NullMarked
package dev.gitopsinterlock.testing.bed;

import org.jspecify.annotations.NullMarked;
