package dev.gitopsinterlock.tool;

/**
 * What an edit of a Job looks like to the tool that sent it.
 *
 * @param manager its field manager
 * @param marks of the live Job
 * @param isReplace whether it is a PUT of a manifest, without the selector that the API server generated
 */
public record SentEdit(FieldManager manager, ToolMetadata marks, boolean isReplace) {}
