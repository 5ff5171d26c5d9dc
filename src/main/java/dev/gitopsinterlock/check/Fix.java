package dev.gitopsinterlock.check;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An annotation on a Job that makes its tool do what the remedy says. Only remedies that are a line of the manifest
 * have one; a test compares each with the page of its code.
 *
 * @param annotation its key
 * @param words of the value, a list with commas; those that are there already stay
 */
public record Fix(String annotation, List<String> words) {

    static final String SYNC_OPTIONS = "argocd.argoproj.io/sync-options";

    /** By guidance code. */
    public static final Map<String, Fix> OF_CODES = Map.of(
            "ArgoCdJobEdit", new Fix(SYNC_OPTIONS, List.of("Force=true")),
            "ArgoCdServerSideApplyJobEdit", new Fix(SYNC_OPTIONS, List.of("ServerSideApply=false", "Force=true")),
            "ArgoCdReplaceWithoutForce", new Fix(SYNC_OPTIONS, List.of("Force=true", "Replace=true")),
            "ArgoCdHookJobEdit", new Fix("argocd.argoproj.io/hook-delete-policy", List.of("BeforeHookCreation")),
            "FluxKustomizationJobEdit", new Fix("kustomize.toolkit.fluxcd.io/force", List.of("enabled")),
            "KappJobEdit", new Fix("kapp.k14s.io/update-strategy", List.of("fallback-on-replace")),
            "NelmJobEdit", new Fix("werf.io/delete-policy", List.of("before-creation-if-immutable")));

    public Fix {
        words = List.copyOf(words);
    }

    /** What helps against a code. */
    static Optional<Fix> of(String code) {
        return Optional.ofNullable(OF_CODES.get(code));
    }

    /** Options that Argo CD reads for a Job: those of its Application, where the Job's own say nothing else. */
    static String syncOptions(String ofApplication, String ofJob) {
        var own = Arrays.stream(ofJob.split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
        return new Fix(SYNC_OPTIONS, own).valueBeside(ofApplication);
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
