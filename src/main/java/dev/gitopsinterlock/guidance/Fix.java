package dev.gitopsinterlock.guidance;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * An annotation on a Job that makes its tool do what the remedy says. Only remedies that are a line of the manifest
 * have one; a test compares each with the page of its code.
 *
 * @param annotation its key
 * @param words of the value, a list with commas; those that are there already stay
 */
public record Fix(String annotation, List<String> words) {

    public Fix {
        words = List.copyOf(words);
    }

    /** The annotation's value, where nothing is there yet. */
    public String value() {
        return String.join(",", words);
    }

    /** The annotation's value: what is there, without what contradicts these words, then they. */
    public String valueBeside(String present) {
        var all = new LinkedHashSet<String>();
        Arrays.stream(present.split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty() && words.stream().noneMatch(ours -> isSameOption(word, ours)))
                .forEach(all::add);
        all.addAll(words);
        return String.join(",", all);
    }

    /** A value without a name is an answer to the whole question, and gives way; a policy stands beside others. */
    private boolean isSameOption(String present, String ours) {
        if (!ours.contains("=")) {
            return !isListOfPolicies();
        }
        return option(present).equalsIgnoreCase(option(ours));
    }

    private boolean isListOfPolicies() {
        return annotation.endsWith("delete-policy");
    }

    private static String option(String word) {
        return word.split("[=:]", 2)[0].strip();
    }
}
