/** The chart installed as a platform team installs it: Helm, cert-manager, Pods behind a Service. */
@NullMarked
package dev.gitopsinterlock.system.install;

import org.jspecify.annotations.NullMarked;
