package dev.gitopsinterlock.tool;

import dev.gitopsinterlock.guidance.GuidanceCode;

/**
 * How objects show that their source lives in a tool, and what helps everybody else who edits one.
 *
 * @param mark on the objects
 * @param advice that says where to make the change instead
 */
public record Ownership(Mark mark, GuidanceCode advice) {}
