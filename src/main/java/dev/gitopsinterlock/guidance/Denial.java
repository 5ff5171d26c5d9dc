package dev.gitopsinterlock.guidance;

/** Why a request ends, with what to do about it. */
public sealed interface Denial permits JobEditGuidance, RolloutHeld {

    /** Of its message, in characters. */
    int MAX_LENGTH = 1000;
}
