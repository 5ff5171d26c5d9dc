/** Manifests as text: what is read keeps its place, and what is written keeps the rest. */
@NullMarked
package dev.gitopsinterlock.cli.yaml;

import org.jspecify.annotations.NullMarked;
