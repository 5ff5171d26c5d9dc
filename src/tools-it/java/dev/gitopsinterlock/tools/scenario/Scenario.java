package dev.gitopsinterlock.tools.scenario;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One row of docs/scenarios.md.
 *
 * @param tool with its version, for example {@code Argo CD 3.6.1}
 * @param situation what happens, for example {@code the image of a Job changes}
 * @param mode how the tool was told to apply
 * @param policy what gitops-interlock was told to do about edits of Jobs
 * @param status what the tool shows of how it went: its status, or its exit code
 * @param words the tool's own, without what differs from run to run
 * @param job what became of the Job and of its Pods
 * @param afterwards what happened within the minute after it
 * @param test the class and method that saw it
 */
@JsonPropertyOrder({"tool", "situation", "mode", "policy", "status", "words", "job", "afterwards", "test"})
record Scenario(
        String tool,
        String situation,
        String mode,
        String policy,
        String status,
        String words,
        String job,
        String afterwards,
        String test) {

    private static final Pattern OLDER = Pattern.compile("(Argo CD 3\\.5)\\..*");

    /** Where its golden is, below the folder of all: the same for every minor version of the tool, but for older ones. */
    String file() {
        var older = OLDER.matcher(tool);
        return older.matches() ? in(older.group(1)) : fileOfNewest();
    }

    /** Where the newest version of the tool has the same story. */
    String fileOfNewest() {
        return in(tool.replaceFirst("( v?\\d+)[.\\d]*$", "$1"));
    }

    private String in(String folder) {
        return "%s/%s.yaml".formatted(slug(folder), slug(String.join("-", situation, mode, policy)));
    }

    /** The same of another version of the tool. */
    Scenario by(String other) {
        return new Scenario(other, situation, mode, policy, status, words, job, afterwards, test);
    }

    private static String slug(String words) {
        return words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("-$", "");
    }
}
