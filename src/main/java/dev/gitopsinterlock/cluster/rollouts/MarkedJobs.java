package dev.gitopsinterlock.cluster.rollouts;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.job.policy.HoldRestarts;
import dev.gitopsinterlock.job.policy.JobSettings;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jboss.logging.Logger;

/**
 * Which Jobs are marked as not to be interrupted, and run on a Node. Asked for each time that a Node is about to be let go;
 * nothing is watched. Of Pods only metadata are read.
 */
@Singleton
final class MarkedJobs {

    /** On a Pod, so on the template of a Job. A label, because the API server finds Pods by these alone. */
    static final String MARK = JobSettings.HOLD_RESTARTS.annotation() + "=" + HoldRestarts.ALL.word();

    private static final Logger LOG = Logger.getLogger(MarkedJobs.class);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    /** A controller asks for one Node after the other; more is somebody else. */
    private static final int AT_A_TIME = 5;

    private final KubernetesApi api;
    private final Semaphore permits = new Semaphore(AT_A_TIME);

    MarkedJobs(KubernetesApi api) {
        this.api = api;
    }

    /**
     * With kind and Namespace, once each. Waits for the API server; empty where that does not answer in time, or too many
     * ask.
     */
    Optional<List<String>> on(String node, Duration patience) {
        if (!permits.tryAcquire()) {
            return Optional.empty();
        }
        try {
            var answer = api.listRunningPodMetadata(node, MARK, patience.compareTo(LONGEST) < 0 ? patience : LONGEST);
            return answer.isSuccess()
                    ? Optional.of(answer.body()
                            .path("items")
                            .valueStream()
                            .map(pod -> pod.path("metadata"))
                            .filter(metadata -> !metadata.hasNonNull("deletionTimestamp"))
                            .map(MarkedJobs::owner)
                            .distinct()
                            .sorted()
                            .toList())
                    : Optional.empty();
        } catch (IOException e) {
            LOG.debug("marked Jobs are not known", e);
            return Optional.empty();
        } finally {
            permits.release();
        }
    }

    /** Whose Pod it is, or itself. */
    private static String owner(JsonNode metadata) {
        var owner = metadata.path("ownerReferences")
                .valueStream()
                .filter(each -> each.path("controller").asBoolean())
                .findFirst();
        return "%s %s/%s"
                .formatted(
                        owner.map(each -> each.path("kind").asText()).orElse("Pod"),
                        metadata.path("namespace").asText(),
                        owner.map(each -> each.path("name").asText())
                                .orElse(metadata.path("name").asText()));
    }
}
