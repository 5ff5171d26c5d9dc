package dev.gitopsinterlock.system.differential;

/** Where a Job is in its life, as far as the API server's rules look at it. */
enum State {
    NEVER_STARTED("suspended, never started"),
    STOPPED("suspended after a start"),
    STARTED("started"),
    FINISHED("finished");

    private final String label;

    State(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
