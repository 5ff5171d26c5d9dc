package dev.gitopsinterlock.cli;

/** What a run ends with. Scripts rely on the numbers. */
final class ExitCode {

    static final int NOTHING_FOUND = 0;
    static final int FINDINGS = 1;
    static final int WRONG_USE = 2;
    static final int TROUBLE = 3;

    private ExitCode() {}
}
