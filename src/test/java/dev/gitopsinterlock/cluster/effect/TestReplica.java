package dev.gitopsinterlock.cluster.effect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.Events;
import dev.gitopsinterlock.cluster.api.FakeApiServer;
import dev.gitopsinterlock.cluster.api.FakeClock;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.config.Settings.ReplacementAs;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.Effect.ReplaceJob;
import dev.gitopsinterlock.effect.Effect.ReplaceStatefulSet;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.SampleSettings;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * One replica with everything that carries edits out, in front of an API server in memory. Nothing takes any time but what
 * {@link #clock} is told.
 */
final class TestReplica implements AutoCloseable {

    static final Duration SETTLE = SampleSettings.SETTLE;
    static final Duration TIME = Duration.ofSeconds(10);
    static final Requester CAROL = new Requester("carol", "", List.of("system:authenticated"), Map.of());

    /** Finished long ago, so that nothing has to settle. */
    static final ObjectNode FINISHED = Jobs.finished();

    final FakeClock clock;
    final FakeApiServer api;
    final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    final Intents intents;
    final ClusterEffects effects;
    final Recovery recovery;
    private final Later later = new Later();
    private final ObjectCreation creation;

    /** Keeps what is to run later, until somebody runs it. */
    private static final class Later extends ScheduledThreadPoolExecutor {
        private final List<Runnable> tasks = new ArrayList<>();

        private Later() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            tasks.add(task);
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }
    }

    private TestReplica(FakeClock clock, Duration ahead, FakeApiServer api, ReplacementAs as) {
        this.clock = clock;
        this.api = api;
        var ownClock = clock.ahead(ahead);
        var settings = SampleSettings.as(as);
        var requests = new KubernetesApi(api, ownClock);
        var events = new ObjectEvents(new Events(requests, ownClock));
        var identities = new ReplacementIdentity(requests, settings, metrics);
        this.intents = new Intents(requests);
        this.creation = new ObjectCreation(requests, events, new StuckJobMonitor(requests, metrics, settings, later));
        this.effects = new ClusterEffects(requests, events, creation, identities, intents, ownClock, settings);
        this.recovery = new Recovery(requests, identities, intents, creation, metrics, ownClock, settings);
    }

    static TestReplica as(ReplacementAs as) {
        var clock = new FakeClock();
        return new TestReplica(clock, Duration.ZERO, new FakeApiServer(clock), as);
    }

    /** Another replica of the same cluster, or this one once it is started again: it remembers nothing. */
    TestReplica another() {
        return another(Duration.ZERO);
    }

    /** One on a machine whose clock is so much ahead. */
    TestReplica another(Duration ahead) {
        return new TestReplica(clock, ahead, api, ReplacementAs.SERVICE_ACCOUNT);
    }

    /** Does what is to be done later, once; what that puts off further comes with the next call. */
    void later() {
        var due = List.copyOf(later.tasks);
        later.tasks.clear();
        due.forEach(Runnable::run);
    }

    double counted(String name, String... tags) {
        return Optional.ofNullable(metrics.find(name).tags(tags).counter())
                .map(counter -> counter.count())
                .orElse(0.0);
    }

    /** Written down, and nothing else done yet. */
    Optional<Outcome> keep(ObjectOperation operation) {
        return intents.keep(Intents.newName(), operation, Deadline.in(clock, TIME));
    }

    Outcome replace(ObjectOperation operation) {
        return replace(operation, Optional.of(FakeClock.BEGIN.minusSeconds(3600)), TIME);
    }

    Outcome replace(ObjectOperation operation, Optional<Instant> finishedAt, Duration time) {
        return effects.run(new ApiServer(), new ReplaceJob(operation, finishedAt), Deadline.in(clock, time));
    }

    Outcome replaceStatefulSet(ObjectOperation operation) {
        return effects.run(new ApiServer(), new ReplaceStatefulSet(operation), Deadline.in(clock, TIME));
    }

    /** An edit of this StatefulSet by carol. */
    static ObjectOperation editStatefulSet(JsonNode live) {
        ObjectNode set = live.deepCopy();
        set.withObject("/spec").put("serviceName", "new");
        set.withObject("/metadata").remove(List.of("uid", "resourceVersion"));
        set.withObject("/metadata/annotations").put(OurMetadata.REPLACED, "made/for/this/edit");
        return new ObjectOperation(
                ResourceType.STATEFUL_SET,
                new ObjectName("shop", live.at("/metadata/name").asText()),
                live,
                CAROL,
                Tool.KUBECTL,
                List.of("spec.serviceName"),
                set,
                "kubectl-client-side-apply",
                MissingNode.getInstance(),
                false);
    }

    /** An edit of this Job by carol. */
    static ObjectOperation edit(JsonNode live) {
        return edit(live, CAROL, false);
    }

    static ObjectOperation edit(JsonNode live, Requester requester, boolean dryRun) {
        ObjectNode job = Jobs.manifest(live);
        job.at("/spec/template/spec/containers").forEach(container -> ((ObjectNode) container).put("image", "new"));
        job.withObject("/metadata/annotations").put(OurMetadata.REPLACED, "made/for/this/edit");
        return new ObjectOperation(
                ResourceType.JOB,
                new ObjectName(
                        live.at("/metadata/namespace").asText(),
                        live.at("/metadata/name").asText()),
                live,
                requester,
                Tool.KUBECTL,
                List.of("spec.template"),
                job,
                "kubectl-client-side-apply",
                MissingNode.getInstance(),
                dryRun);
    }

    @Override
    public void close() {
        later.shutdownNow();
    }
}
