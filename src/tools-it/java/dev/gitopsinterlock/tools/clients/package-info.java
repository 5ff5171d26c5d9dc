/** What kubectl, Helm, Flux and Fleet do and show, and other webhooks beside ours. */
@NullMarked
package dev.gitopsinterlock.tools.clients;

import org.jspecify.annotations.NullMarked;
