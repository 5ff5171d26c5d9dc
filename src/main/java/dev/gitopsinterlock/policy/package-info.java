/** How a policy is written: annotations with words and numbers. Pure: values in, values out. */
@NullMarked
package dev.gitopsinterlock.policy;

import org.jspecify.annotations.NullMarked;
