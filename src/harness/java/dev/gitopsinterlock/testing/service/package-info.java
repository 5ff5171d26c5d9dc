/** The service as a process, its certificates, and connections to it. */
@NullMarked
package dev.gitopsinterlock.testing.service;

import org.jspecify.annotations.NullMarked;
