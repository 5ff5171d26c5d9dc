/** What tests share: a real control plane, the service as a process, builders of objects. */
@NullMarked
package dev.gitopsinterlock.testing;

import org.jspecify.annotations.NullMarked;
