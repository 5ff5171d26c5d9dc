package dev.gitopsinterlock.cluster.rollouts;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.gate.MarkedPods;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URLEncoder;
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
            var fields = "spec.nodeName=" + node + ",status.phase!=Succeeded,status.phase!=Failed";
            var query = "?labelSelector=%s&fieldSelector=%s"
                    .formatted(URLEncoder.encode(MarkedPods.SELECTOR, UTF_8), URLEncoder.encode(fields, UTF_8));
            var answer = api.listMetadata("/api/v1/pods" + query, patience.compareTo(LONGEST) < 0 ? patience : LONGEST);
            return answer.isSuccess()
                    ? Optional.of(MarkedPods.owners(answer.body().path("items").valueStream()))
                    : Optional.empty();
        } catch (IOException e) {
            LOG.debug("marked Jobs are not known", e);
            return Optional.empty();
        } finally {
            permits.release();
        }
    }
}
