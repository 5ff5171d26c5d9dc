/** Makes the schema of the chart's values out of their comments. */
@NullMarked
package dev.gitopsinterlock.build.chart;

import org.jspecify.annotations.NullMarked;
