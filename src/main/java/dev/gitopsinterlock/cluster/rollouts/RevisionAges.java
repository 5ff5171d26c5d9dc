package dev.gitopsinterlock.cluster.rollouts;

import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.jboss.logging.Logger;

/** When the object was made that a rollout brings to its Nodes. Asked for each time, so that a cluster out of reach is noticed. */
@Singleton
public final class RevisionAges {

    private static final Logger LOG = Logger.getLogger(RevisionAges.class);

    /** A controller asks for one Node after the other; more is somebody else, or a sign of trouble. */
    private static final int AT_A_TIME = 20;

    private final KubernetesApi api;
    private final Turns turns = new Turns(AT_A_TIME);

    RevisionAges(KubernetesApi api) {
        this.api = api;
    }

    /**
     * Waits for the API server, and for a place among others who ask.
     *
     * @param path of the object
     * @return empty where it cannot be found out in time
     */
    Optional<Instant> created(String path, Deadline deadline) {
        if (!turns.begin(deadline)) {
            return Optional.empty();
        }
        try {
            var answer = api.getMetadata(path, Turns.patience(deadline));
            return Timestamp.of(answer.body().path("metadata").path("creationTimestamp"));
        } catch (IOException e) {
            LOG.debugf(e, "the age of %s is not known", path);
            return Optional.empty();
        } finally {
            turns.end();
        }
    }
}
