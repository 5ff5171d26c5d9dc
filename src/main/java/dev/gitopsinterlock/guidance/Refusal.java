package dev.gitopsinterlock.guidance;

/** Why a request ends, with what to do about it. */
public sealed interface Refusal permits JobEditGuidance, RolloutHeld {}
