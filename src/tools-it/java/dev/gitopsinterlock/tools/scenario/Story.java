package dev.gitopsinterlock.tools.scenario;

import static java.util.Objects.requireNonNull;

import dev.gitopsinterlock.testing.bed.Workspace;
import org.jspecify.annotations.Nullable;

/**
 * What a test saw of a tool. A test has it as a parameter, with {@code @ExtendWith(Stories.class)}; if it says what the
 * story is of, the story is held against its golden when the test has passed, and becomes a row of docs/scenarios.md.
 */
public final class Story {

    private final String test;
    private @Nullable String tool;
    private String situation = "";
    private String mode = "";
    private String policy = "";
    private String status = "";
    private String words = "";
    private String job = "";
    private String afterwards = "";

    Story(String test) {
        this.test = test;
    }

    /** What distinguishes it from all others; the policy is that for edits of Jobs, or a dash. */
    public Story of(String tool, String situation, String mode, String policy) {
        this.tool = tool;
        this.situation = situation;
        this.mode = mode;
        this.policy = policy;
        return this;
    }

    /**
     * What the tool shows: its status or exit code, and its own words, of which the parts are left out that differ from
     * run to run.
     */
    public Story shows(String status, String words, Workspace workspace) {
        this.status = status;
        this.words = Words.lasting(words, workspace.namespace());
        return this;
    }

    /** What became of the Job, and what happened in the minute after that. */
    public Story job(String job, String afterwards) {
        this.job = job;
        this.afterwards = afterwards;
        return this;
    }

    boolean isTold() {
        return tool != null;
    }

    Scenario scenario() {
        return new Scenario(requireNonNull(tool), situation, mode, policy, status, words, job, afterwards, test);
    }
}
