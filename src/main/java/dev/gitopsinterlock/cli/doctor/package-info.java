/** What a doctor looks at: reads the cluster, and sends the edit that is never stored. */
@NullMarked
package dev.gitopsinterlock.cli.doctor;

import org.jspecify.annotations.NullMarked;
