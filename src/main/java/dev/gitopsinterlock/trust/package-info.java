/**
 * What the API server and this service know each other by, where the service keeps it itself: CA, serving certificate and
 * caller tokens, in one Secret, and the two webhook configurations that are told of them. Everything is decided in {@link
 * dev.gitopsinterlock.trust.Renewal}; {@link dev.gitopsinterlock.trust.SelfManagedTrust} asks and writes.
 */
@NullMarked
package dev.gitopsinterlock.trust;

import org.jspecify.annotations.NullMarked;
