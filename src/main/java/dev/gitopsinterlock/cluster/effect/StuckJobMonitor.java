package dev.gitopsinterlock.cluster.effect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.KubernetesApi.Patch;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Looks at a replaced Job again after a minute. One that the Job controller never began, because it missed the deletion
 * of the old one (kubernetes#142142), gets an annotation, at which the controller looks at it again; up to six times. In
 * memory only: the pause of the replacement is what prevents this.
 */
@Singleton
final class StuckJobMonitor {

    private static final Logger LOG = Logger.getLogger(StuckJobMonitor.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MOST = 6;

    private final KubernetesApi api;
    private final Counter retriggers;
    private final Duration interval;
    private final ScheduledExecutorService looks;

    @Inject
    StuckJobMonitor(KubernetesApi api, MeterRegistry metrics, Settings settings) {
        this(
                api,
                metrics,
                settings,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("start-check").factory()));
    }

    StuckJobMonitor(KubernetesApi api, MeterRegistry metrics, Settings settings, ScheduledExecutorService looks) {
        this.api = api;
        this.retriggers = metrics.counter("gitops.interlock.retriggers");
        this.interval = settings.effects().startCheckInterval();
        this.looks = looks;
    }

    void watch(ObjectName job, JsonNode created) {
        var uid = ObjectMeta.uid(created);
        schedule(new PendingJob(job, uid, 0));
    }

    void stop(@Observes ShutdownEvent event) {
        looks.shutdownNow();
    }

    private record PendingJob(ObjectName job, String uid, int retriggers) {}

    private void schedule(PendingJob pending) {
        var _ = looks.schedule(() -> look(pending), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Without an answer nobody knows: it is asked again, and that does not count as a retrigger. */
    private void look(PendingJob pending) {
        try {
            var answer = api.get(ResourceType.JOB.path(pending.job()), PATIENCE);
            if (answer.isTransient()) {
                schedule(pending);
            } else if (answer.isSuccess() && isStuck(pending, answer.body())) {
                retrigger(pending);
            }
        } catch (IOException e) {
            LOG.debug("start check could not look", e);
            schedule(pending);
        }
    }

    private void retrigger(PendingJob pending) throws IOException {
        if (pending.retriggers() == MOST) {
            LOG.warnf("job %s has not begun to run since it was replaced", pending.job());
            return;
        }
        var number = pending.retriggers() + 1;
        var patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("metadata")
                .put("uid", pending.uid())
                .putObject("annotations")
                .put(OurMetadata.RETRIGGERED, Integer.toString(number));
        var answer = api.patch(ResourceType.JOB.path(pending.job()), Patch.MERGE, patch, PATIENCE);
        if (answer.isSuccess()) {
            retriggers.increment();
            LOG.infof("retriggered: job=%s number=%s", pending.job(), number);
        }
        schedule(new PendingJob(pending.job(), pending.uid(), number));
    }

    /**
     * By the status alone: {@code active} counts Pods that were asked for, also ones that are gone. Reading Pods would
     * tell more, but so would it to whoever gets hold of our account; a needless retrigger does no harm.
     */
    private static boolean isStuck(PendingJob pending, JsonNode job) {
        var status = job.path("status");
        var spec = job.path("spec");
        return ObjectMeta.uid(job).equals(pending.uid())
                && !spec.path("suspend").asBoolean()
                && spec.path("parallelism").asInt(1) > 0
                && status.path("ready").asInt() == 0
                && status.path("succeeded").asInt() == 0
                && status.path("failed").asInt() == 0
                && status.path("conditions").isEmpty();
    }
}
