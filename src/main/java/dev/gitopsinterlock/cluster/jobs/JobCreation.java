package dev.gitopsinterlock.cluster.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.job.carryout.Effect.JobOperation;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Creates the Job that takes another one's place, and does what is to be done once it is there. Blocks. */
@Singleton
final class JobCreation {

    private static final Logger LOG = Logger.getLogger(JobCreation.class);

    /** The Job's controller writes to a new Job a few times within moments. */
    private static final int ATTEMPTS = 5;

    private final KubernetesApi api;
    private final JobEvents events;
    private final StuckJobMonitor stuckJobs;

    JobCreation(KubernetesApi api, JobEvents events, StuckJobMonitor stuckJobs) {
        this.api = api;
        this.events = events;
        this.stuckJobs = stuckJobs;
    }

    /** Tries once; there is never a second Job of the name. */
    ApiAnswer create(JobOperation operation, Identity identity, Duration patience) throws IOException {
        var answer = api.createJob(operation, identity, false, patience);
        if (answer.isSuccess()) {
            created(operation, answer, patience);
        }
        return answer;
    }

    /** For a Job that is there, too, although the answer to its creation was lost. */
    void created(JobOperation operation, ApiAnswer job, Duration patience) {
        giveToOwners(operation, job, patience);
        events.replaced(operation, job.body());
        stuckJobs.lookAfter(operation.job(), job.body());
    }

    /**
     * Before the client's request goes on: the API server looks for conflicts before it asks us. In the version that is
     * known, so that what the control plane has come to own since is not taken from it.
     */
    private void giveToOwners(JobOperation operation, ApiAnswer created, Duration patience) {
        if (!operation.owners().isArray() || operation.owners().isEmpty()) {
            return;
        }
        try {
            var job = created;
            for (int attempt = 0; attempt < ATTEMPTS && job.isSuccess(); attempt++) {
                var answer = api.setJobOwners(operation.job(), metadata(job), ownersOf(operation, job), patience);
                if (answer.isSuccess()) {
                    return;
                }
                job = answer.status() == HttpURLConnection.HTTP_CONFLICT
                        ? api.getJob(operation.job(), patience)
                        : answer;
            }
            LOG.warnf("fields of job %s are not its client's: HTTP status %d", operation.job(), job.status());
        } catch (IOException e) {
            LOG.debug("no answer to the change of owners", e);
        }
    }

    private static JsonNode metadata(ApiAnswer job) {
        return job.body().path("metadata");
    }

    /** The client's in place of ours; those of everybody else stay. */
    private static ArrayNode ownersOf(JobOperation operation, ApiAnswer job) {
        var owners = JsonNodeFactory.instance.arrayNode();
        operation.owners().forEach(owners::add);
        for (var entry : metadata(job).path("managedFields")) {
            var isOurs = entry.path("manager").asText().equals(operation.fieldManager())
                    && entry.path("subresource").asText().isEmpty();
            if (!isOurs) {
                owners.add(entry);
            }
        }
        return owners;
    }
}
