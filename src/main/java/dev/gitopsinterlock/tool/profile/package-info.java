/** What is known of each tool, a class each; the order in which they are asked is in Tool. Pure. */
@NullMarked
package dev.gitopsinterlock.tool.profile;

import org.jspecify.annotations.NullMarked;
