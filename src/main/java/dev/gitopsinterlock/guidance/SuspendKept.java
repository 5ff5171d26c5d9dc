package dev.gitopsinterlock.guidance;

/**
 * A PUT of a manifest that suspends a Job which a queue has admitted: the queue would take it for its own doing, so
 * {@code spec.suspend} stays as it is.
 *
 * @param job its name
 */
public record SuspendKept(String job) implements Warning {}
