/** gitops-interlock: an admission webhook that makes Jobs and MachineConfigs behave under GitOps. */
@NullMarked
package dev.gitopsinterlock;

import org.jspecify.annotations.NullMarked;
