package dev.gitopsinterlock.cluster.rollouts;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.gate.ObjectChange;
import dev.gitopsinterlock.gate.RestartMakers;
import dev.gitopsinterlock.gate.Rollout;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** What rollouts do to the Nodes, by objects that are read for it, one question after the other: they can be large. */
@Singleton
final class Interruptions {

    private static final Logger LOG = Logger.getLogger(Interruptions.class);

    private final KubernetesApi api;
    private final RestartMakers makers;
    private final Semaphore turn = new Semaphore(1);

    Interruptions(KubernetesApi api, RestartMakers makers) {
        this.api = api;
        this.makers = makers;
    }

    /** Whether the change can interrupt what runs on the Node; true where that cannot be found out in time. Blocks. */
    boolean canFollow(Rollout rollout, ObjectChange change, Deadline deadline) {
        if (!hasTurn(deadline)) {
            return true;
        }
        try {
            return makers.interrupts(rollout, change, path -> object(path, deadline));
        } finally {
            turn.release();
        }
    }

    private boolean hasTurn(Deadline deadline) {
        try {
            return turn.tryAcquire(RevisionAges.patience(deadline).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Optional<JsonNode> object(String path, Deadline deadline) {
        try {
            return Optional.of(api.get(path, RevisionAges.patience(deadline)))
                    .filter(ApiAnswer::isSuccess)
                    .map(ApiAnswer::body);
        } catch (IOException e) {
            LOG.debugf(e, "%s is not known", path);
            return Optional.empty();
        }
    }
}
