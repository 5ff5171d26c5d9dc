package dev.gitopsinterlock.check;

/**
 * Somewhere in a text.
 *
 * @param file as it was named to us; {@code -} is the standard input
 * @param line from 1
 * @param column from 1, in characters
 */
public record Place(String file, int line, int column) {}
