package dev.gitopsinterlock.policy;

/** Which new Jobs get the label by which the Node of a Pod is not restarted. */
public enum HoldRestarts implements PolicyValue {
    /** None but those that ask for it. */
    NONE("false"),
    /** Hooks of Argo CD and Helm: what runs in them is part of a deployment that is under way. */
    HOOKS("hooks"),
    /** All of them. */
    ALL("true");

    private final String word;

    HoldRestarts(String word) {
        this.word = word;
    }

    @Override
    public String configValue() {
        return word;
    }
}
