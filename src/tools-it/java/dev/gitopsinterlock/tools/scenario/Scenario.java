package dev.gitopsinterlock.tools.scenario;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Locale;

/**
 * One row of docs/scenarios.md.
 *
 * @param tool with its version, for example {@code Argo CD 3.5.7}
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

    /** Where its golden is, below the folder of all: the same for every minor version of the tool. */
    String file() {
        return "%s/%s.yaml"
                .formatted(
                        slug(tool.replaceFirst("( v?\\d+)[.\\d]*$", "$1")),
                        slug(String.join("-", situation, mode, policy)));
    }

    private static String slug(String words) {
        return words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("-$", "");
    }
}
