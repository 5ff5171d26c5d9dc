package dev.gitopsinterlock.job;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What happens to a Job edit. The words are the values of the annotation and of the setting. */
public enum OnImmutableChange {
    /** Refused, with advice. */
    REJECT("Reject"),
    /** Left to the API server. */
    IGNORE("Ignore");

    private final String word;

    OnImmutableChange(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** Exact spelling only, as everywhere in Kubernetes. */
    public static Optional<OnImmutableChange> parse(String word) {
        return Arrays.stream(values()).filter(value -> value.word.equals(word)).findFirst();
    }

    /** Every word, in the order of the documentation. */
    public static List<String> words() {
        return Arrays.stream(values()).map(OnImmutableChange::word).toList();
    }
}
