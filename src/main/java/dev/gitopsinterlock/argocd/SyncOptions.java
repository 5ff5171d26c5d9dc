package dev.gitopsinterlock.argocd;

import dev.gitopsinterlock.guidance.Fix;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Argo CD's options on a Job. It compares whole words: what is spelt in another way is as good as not there.
 *
 * @param words of the annotation
 */
public record SyncOptions(List<String> words) {

    private static final Pattern LIKE_FORCE = like("Force");
    private static final Pattern LIKE_REPLACE = like("Replace");

    /** Without effect, and meant to be without. */
    private static final Pattern NO_FORCE =
            Pattern.compile("Force\\s*[=:]\\s*(false|no|off|0)", Pattern.CASE_INSENSITIVE);

    public SyncOptions {
        words = List.copyOf(words);
    }

    /** As the annotation {@link ArgoCdKeys#SYNC_OPTIONS} has them. */
    public static SyncOptions of(String annotation) {
        return new SyncOptions(ArgoCdHook.listed(annotation).toList());
    }

    /**
     * Options that Argo CD reads for an object: those of its Application, where the object's own say nothing else. Force is
     * read from objects alone (gitops-engine's sync_context.go, Argo CD 3.5.7 and 3.6.1).
     */
    public String beside(String ofApplication) {
        var read = ArgoCdHook.listed(ofApplication)
                .filter(word -> !LIKE_FORCE.matcher(word).matches())
                .collect(Collectors.joining(","));
        return new Fix(ArgoCdKeys.SYNC_OPTIONS, words).valueBeside(read);
    }

    public boolean force() {
        return words.contains("Force=true");
    }

    public boolean replace() {
        return words.contains("Replace=true");
    }

    public boolean serverSideApply() {
        return words.contains("ServerSideApply=true");
    }

    public boolean isForceMisspelt() {
        return words.stream()
                .anyMatch(word -> LIKE_FORCE.matcher(word).matches()
                        && !word.equals("Force=true")
                        && !NO_FORCE.matcher(word).matches());
    }

    public boolean isReplaceMisspelt() {
        return words.stream()
                .anyMatch(word -> LIKE_REPLACE.matcher(word).matches()
                        && !word.equals("Replace=true")
                        && !word.equals("Replace=false"));
    }

    private static Pattern like(String option) {
        return Pattern.compile(option + "(\\s*[=:].*)?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }
}
