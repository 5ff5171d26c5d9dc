package dev.gitopsinterlock.guidance;

/** A request that was let through unread, because its objects take more memory than there is for them. */
public record NotJudged() implements Warning {}
