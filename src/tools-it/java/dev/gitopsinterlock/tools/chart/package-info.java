/** The Helm chart: its values, what it renders, and what it refuses. */
@NullMarked
package dev.gitopsinterlock.tools.chart;

import org.jspecify.annotations.NullMarked;
