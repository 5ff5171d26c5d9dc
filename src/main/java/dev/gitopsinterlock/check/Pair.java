package dev.gitopsinterlock.check;

import java.util.Optional;

/**
 * One object before and after a change.
 *
 * @param base as it was; empty for a new object
 * @param target as it will be
 */
public record Pair(Optional<Manifest> base, Manifest target) {}
