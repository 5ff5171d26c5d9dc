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
import org.jboss.logging.Logger;

/** What rollouts do to the Nodes, by objects that are read for it, one question after the other: they can be large. */
@Singleton
final class Interruptions {

    private static final Logger LOG = Logger.getLogger(Interruptions.class);

    private final KubernetesApi api;
    private final RestartMakers makers;
    private final Turns turns = new Turns(1);

    Interruptions(KubernetesApi api, RestartMakers makers) {
        this.api = api;
        this.makers = makers;
    }

    /** Whether the change can interrupt what runs on the Node; true where that cannot be found out in time. Blocks. */
    boolean canFollow(Rollout rollout, ObjectChange change, Deadline deadline) {
        if (!turns.begin(deadline)) {
            return true;
        }
        try {
            return makers.interrupts(rollout, change, path -> object(path, deadline));
        } finally {
            turns.end();
        }
    }

    private Optional<JsonNode> object(String path, Deadline deadline) {
        try {
            return Optional.of(api.get(path, Turns.patience(deadline)))
                    .filter(ApiAnswer::isSuccess)
                    .map(ApiAnswer::body);
        } catch (IOException e) {
            LOG.debugf(e, "%s is not known", path);
            return Optional.empty();
        }
    }
}
