package dev.gitopsinterlock.testing.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.AuditLog.Change;
import dev.gitopsinterlock.testing.run.Patience;
import java.time.Duration;
import java.util.List;

/** What becomes of a Job, alone in its namespace, from a moment on. */
public final class JobHistory {

    private static final Duration QUIET = Duration.parse(System.getProperty("scenarios.quiet", "PT60S"));

    private final Workspace workspace;
    private final String name;
    private final JsonNode before;
    private final int runsBefore;

    private JobHistory(Workspace workspace, String name) {
        this.workspace = workspace;
        this.name = name;
        before = workspace.findJob(name);
        runsBefore = runs();
    }

    /** From now on; the Job need not exist. */
    public static JobHistory of(Workspace workspace, String name) {
        return new JobHistory(workspace, name);
    }

    /** Waits until a Job with a container of the image is complete. */
    public void awaitComplete(String image) {
        await("Job " + name + " complete with " + image)
                .atMost(Patience.LIMIT)
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    var job = workspace.findJob(name);
                    return job.at("/spec/template/spec/containers").findValuesAsText("image").stream()
                                    .anyMatch(one -> one.endsWith(image))
                            && job.at("/status/conditions")
                                    .findValuesAsText("type")
                                    .contains("Complete");
                });
    }

    /** How often the Job, or one of its name, was run from the moment on. */
    public int newRuns() {
        return runs() - runsBefore;
    }

    private int runs() {
        return created("pods");
    }

    /** How many Jobs there have been in the namespace, and how many Pods. */
    public int created(String resource) {
        return (int) workspace.changes().stream()
                .filter(change -> change.resource().equals(resource)
                        && change.verb().equals("create")
                        && change.subresource().isEmpty()
                        && !change.dryRun()
                        && change.succeeded())
                .count();
    }

    /** In words, for example {@code replaced, migrate:1.1, 1 new Pod}. */
    public String outcome() {
        var now = workspace.findJob(name);
        return "%s, %s"
                .formatted(
                        fate(now),
                        newRuns() == 0 ? "no new Pod" : newRuns() == 1 ? "1 new Pod" : newRuns() + " new Pods");
    }

    private String fate(JsonNode now) {
        var image = image(now).replaceFirst(".*/", "");
        if (now.isEmpty()) {
            return before.isEmpty() ? "not there" : "gone";
        }
        if (before.isEmpty()) {
            return "created with " + image;
        }
        if (uid(now).equals(uid(before))) {
            return "kept with " + image;
        }
        var isOurs = now.at("/metadata/annotations").has("gitops-interlock.dev/replaced");
        return (isOurs ? "replaced by one with " : "deleted by the tool, created with ") + image;
    }

    /**
     * Watches for a minute what is done to Jobs and Pods; nothing may be changed any more.
     *
     * @return in words, whether somebody at least tried to
     */
    public String afterwards() {
        var known = changes().size();
        await("quiet")
                .during(QUIET)
                .atMost(QUIET.plus(Patience.LIMIT))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    assertThat(changes().stream().skip(known).filter(Change::succeeded))
                            .as("changes afterwards")
                            .isEmpty();
                    return true;
                });
        return changes().size() == known ? "nothing" : "tries again, is refused again";
    }

    /** Real ones, of Jobs and of which Pods there are. */
    private List<Change> changes() {
        return workspace.changes().stream()
                .filter(change -> change.subresource().isEmpty() && !change.dryRun())
                .filter(change ->
                        change.resource().equals("jobs") || change.verb().equals("create"))
                .toList();
    }

    private static String uid(JsonNode job) {
        return job.at("/metadata/uid").asText();
    }

    private static String image(JsonNode job) {
        return job.at("/spec/template/spec/containers/0/image").asText();
    }
}
