package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.job.JobState;
import java.util.List;

/**
 * What manifests tell of the live Job's state. A Job whose manifest does not suspend it runs or has run, and nothing in
 * its template may change; a suspended one may have been started before, which no manifest says. A queue such as Kueue
 * suspends and starts Jobs whatever the manifest says.
 */
final class KnownState {

    private static final JobState RUNNING = new JobState(false, false, false);
    private static final JobState NEVER_STARTED = new JobState(true, true, true);
    private static final JobState STARTED_ONCE = new JobState(true, false, false);

    private static final String QUEUE = "kueue.x-k8s.io/queue-name";

    private KnownState() {}

    /** Those that a Job of this manifest can be in, the one that lets least pass first. */
    static List<JobState> of(JsonNode manifest) {
        if (manifest.path("metadata").path("labels").has(QUEUE)) {
            return List.of(RUNNING, STARTED_ONCE, NEVER_STARTED);
        }
        return manifest.path("spec").path("suspend").asBoolean()
                ? List.of(STARTED_ONCE, NEVER_STARTED)
                : List.of(RUNNING);
    }
}
