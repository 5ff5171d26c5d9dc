package dev.gitopsinterlock.check;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.manifest.StoredJob;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.FieldManager.Method;
import java.util.List;

/**
 * What is known of the Job that a change meets.
 *
 * @param live as the API server has it, or would have it
 * @param manifest that it was made from, as far as that is known: what is in neither manifest is the API server's, or
 *     somebody else's, and stays
 * @param imagined whether nobody has looked at the live one
 * @param states that it can be in, the one that lets least pass first
 */
record KnownJob(JsonNode live, JsonNode manifest, boolean imagined, List<JobState> states) {

    /** Of every live Job that is imagined here: which one it is does not matter. */
    private static final String UID = "00000000-0000-0000-0000-000000000000";

    private static final JobState RUNNING = new JobState(false, false, false);
    private static final JobState NEVER_STARTED = new JobState(true, true, true);
    private static final JobState STARTED_ONCE = new JobState(true, false, false);
    private static final JobState STOPPED = new JobState(true, false, true);

    private static final String QUEUE = "kueue.x-k8s.io/queue-name";
    private static final JsonPointer SELECTOR = JsonPointer.compile("/spec/selector");

    KnownJob {
        states = List.copyOf(states);
    }

    /** By a manifest alone. */
    static KnownJob ofManifest(JsonNode manifest) {
        return new KnownJob(StoredJob.of(manifest, UID), manifest, true, possibleStates(manifest));
    }

    /**
     * Of the cluster.
     *
     * @param manifest as a client-side apply left it on the Job; a missing node where there is none
     */
    static KnownJob ofCluster(JsonNode live, JsonNode manifest) {
        return new KnownJob(live, manifest, false, List.of(JobState.of(live)));
    }

    /**
     * A Job whose manifest does not suspend it runs or has run, and nothing in its template may change; a suspended one
     * may have been started before, which no manifest says. A queue such as Kueue suspends and starts Jobs whatever the
     * manifest says.
     */
    private static List<JobState> possibleStates(JsonNode manifest) {
        if (manifest.path("metadata").path("labels").has(QUEUE)) {
            return List.of(RUNNING, STARTED_ONCE, STOPPED, NEVER_STARTED);
        }
        return manifest.path("spec").path("suspend").asBoolean()
                ? List.of(STARTED_ONCE, STOPPED, NEVER_STARTED)
                : List.of(RUNNING);
    }

    /**
     * What is stored when a tool patches it to what a new manifest says.
     *
     * @param method of the tool: by server-side apply a selector that is written takes the place of the live one, and
     *     where nobody knows, that is assumed
     */
    ObjectNode patched(JsonNode target, Method method) {
        var stored = StoredJob.of(target, UID);
        var selector = target.at(SELECTOR);
        var patched = new PatchBuilder(stored);
        if (selector.isMissingNode()) {
            // the live Job has its own
            GeneratedFields.takeOut(patched);
        }
        ObjectNode merged = patched.object().deepCopy();
        keep(merged, target, live, manifest);
        if (method != Method.UPDATE && selector.isObject()) {
            merged.withObject("/spec").set("selector", selector);
        }
        return merged;
    }

    private static void keep(ObjectNode merged, JsonNode target, JsonNode live, JsonNode base) {
        for (var field : live.properties()) {
            var name = field.getKey();
            if (isAbsent(target.path(name)) && isAbsent(base.path(name))) {
                merged.set(name, field.getValue());
            } else {
                keepInside(merged.path(name), target.path(name), field.getValue(), base.path(name));
            }
        }
    }

    private static void keepInside(JsonNode merged, JsonNode target, JsonNode live, JsonNode base) {
        if (merged instanceof ObjectNode object && live.isObject()) {
            keep(object, target, live, base);
        } else if (merged.isArray() && live.isArray()) {
            for (int i = 0; i < merged.size(); i++) {
                var same = counterpart(merged.get(i), i, live);
                if (same >= 0) {
                    keepInside(merged.get(i), target.path(i), live.get(same), base.path(same));
                }
            }
        }
    }

    /** Lists of things with a name are merged by it, as patches do; others by their order. */
    private static int counterpart(JsonNode item, int index, JsonNode live) {
        if (!item.isObject() || !item.path("name").isTextual()) {
            return index < live.size() ? index : -1;
        }
        for (int i = 0; i < live.size(); i++) {
            if (live.get(i).path("name").equals(item.path("name"))) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isAbsent(JsonNode node) {
        return node instanceof MissingNode || node.isNull();
    }
}
