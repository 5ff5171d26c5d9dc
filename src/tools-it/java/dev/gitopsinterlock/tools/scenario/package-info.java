/** What GitOps tools show and do in one situation: told by tests, kept as goldens, published as docs/scenarios.md. */
@NullMarked
package dev.gitopsinterlock.tools.scenario;

import org.jspecify.annotations.NullMarked;
