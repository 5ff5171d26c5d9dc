package dev.gitopsinterlock.cluster;

import dev.gitopsinterlock.admission.Effect.Order;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import org.jboss.logging.Logger;

/** Creates the Job that takes another one's place, and does what is to be done once it is there. Blocks. */
@Singleton
final class JobCreation {

    private static final Logger LOG = Logger.getLogger(JobCreation.class);

    private final KubernetesApi api;
    private final JobEvents events;
    private final AfterCare afterCare;

    JobCreation(KubernetesApi api, JobEvents events, AfterCare afterCare) {
        this.api = api;
        this.events = events;
        this.afterCare = afterCare;
    }

    /** Tries once; there is never a second Job of the name. */
    ApiAnswer create(Order order, Identity identity, Duration patience) throws IOException {
        var answer = api.createJob(order, identity, false, patience);
        if (answer.isSuccess()) {
            created(order, answer, patience);
        }
        return answer;
    }

    /** For a Job that is there, too, although the answer to its creation was lost. */
    void created(Order order, ApiAnswer job, Duration patience) {
        giveToOwners(order, job, patience);
        events.replaced(order, job.body());
        afterCare.lookAfter(order.job(), job.body());
    }

    /** Before the client's request goes on: the API server looks for conflicts before it asks us. */
    private void giveToOwners(Order order, ApiAnswer job, Duration patience) {
        if (!order.owners().isArray() || order.owners().isEmpty()) {
            return;
        }
        var name = order.job();
        try {
            var uid = job.body().path("metadata").path("uid").asText();
            var answer = api.setJobOwners(name, uid, order.owners(), patience);
            if (!answer.isSuccess()) {
                LOG.warnf("fields of job %s are not their client's: HTTP status %d", name, answer.status());
            }
        } catch (IOException e) {
            LOG.debug("no answer to the change of owners", e);
        }
    }
}
