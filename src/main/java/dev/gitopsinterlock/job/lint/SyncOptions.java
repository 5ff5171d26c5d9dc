package dev.gitopsinterlock.job.lint;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Argo CD's options on a Job. It compares whole words: what is spelt in another way is as good as not there.
 *
 * @param words of the annotation
 */
record SyncOptions(List<String> words) {

    private static final Pattern LIKE_FORCE = like("Force");
    private static final Pattern LIKE_REPLACE = like("Replace");

    /** Without effect, and meant to be without. */
    private static final Pattern NO_FORCE =
            Pattern.compile("Force\\s*[=:]\\s*(false|no|off|0)", Pattern.CASE_INSENSITIVE);

    SyncOptions {
        words = List.copyOf(words);
    }

    static SyncOptions of(Map<String, String> annotations) {
        return new SyncOptions(
                ArgoCdHook.words(annotations, ArgoCdKeys.SYNC_OPTIONS).toList());
    }

    boolean force() {
        return words.contains("Force=true");
    }

    boolean replace() {
        return words.contains("Replace=true");
    }

    boolean serverSideApply() {
        return words.contains("ServerSideApply=true");
    }

    boolean isForceMisspelt() {
        return words.stream()
                .anyMatch(word -> LIKE_FORCE.matcher(word).matches()
                        && !word.equals("Force=true")
                        && !NO_FORCE.matcher(word).matches());
    }

    boolean isReplaceMisspelt() {
        return words.stream()
                .anyMatch(word -> LIKE_REPLACE.matcher(word).matches()
                        && !word.equals("Replace=true")
                        && !word.equals("Replace=false"));
    }

    private static Pattern like(String option) {
        return Pattern.compile(option + "(\\s*[=:].*)?", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }
}
