package dev.gitopsinterlock.job.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.immutability.Defaults;
import dev.gitopsinterlock.immutability.StoredForm;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.JobFieldSemantics;
import java.util.List;

/**
 * The Job that an API server stores for a manifest: with the defaults of every field, and with the selector and labels
 * that it generates. Source: the defaulting of batch/v1 and core/v1, and the Job's strategy, of Kubernetes 1.34 to 1.37;
 * an integration test compares it with the real API server.
 */
public final class StoredJob {

    private static final StoredForm FORM = new StoredForm(List.of("spec"), JobFieldSemantics.SEMANTICS, Defaults.NONE);

    private StoredJob() {}

    /**
     * Fills in, as {@link StoredForm} does.
     *
     * @param uid of the Job, which its selector has
     */
    public static ObjectNode of(JsonNode manifest, String uid) {
        var job = FORM.of(manifest);
        JobDefaults.fillIn(job);
        GeneratedFields.generate(job, uid);
        return job;
    }
}
