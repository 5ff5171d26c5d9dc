/** Draws the chart's dashboard where no Grafana is at hand. */
@NullMarked
package dev.gitopsinterlock.build.dashboard;

import org.jspecify.annotations.NullMarked;
