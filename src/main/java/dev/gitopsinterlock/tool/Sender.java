package dev.gitopsinterlock.tool;

/**
 * All that tells who sent a request. The client chooses most of it.
 *
 * @param user as whom
 * @param manager its field manager
 * @param sent the object as it would be
 */
public record Sender(Requester user, FieldManager manager, ToolMetadata sent) {}
