package dev.gitopsinterlock.cluster.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Caller.Stranger;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Events;
import dev.gitopsinterlock.cluster.api.FakeAnswers;
import dev.gitopsinterlock.cluster.api.FakeClock;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.cache.ClusterWatch;
import dev.gitopsinterlock.cluster.cache.Watched;
import dev.gitopsinterlock.gate.RolloutHeld;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.testing.review.KnownCluster;
import dev.gitopsinterlock.testing.review.SampleSettings;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose refusals are remembered, and what people are told of them. */
class HoldMonitorTest {

    private static final Optional<List<RunningSync>> SYNCING = Optional.of(List.of(KnownCluster.sync(FakeClock.BEGIN)));

    /** Its Nodes are to have {@code b}. */
    private static final Pool POOL = Pool.of(Trees.json("""
            {'metadata': {'name': 'worker', 'uid': 'u'}, 'spec': {'configuration': {'name': 'b'}}, 'status': {'machineCount': 2}}
            """));

    private final FakeClock clock = new FakeClock();
    private final FakeAnswers api = new FakeAnswers();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final KubernetesClient client = Watched.nowhere();
    private final HoldMonitor monitor = new HoldMonitor(
            new ClusterWatch(SampleSettings.usual(), client, metrics, clock),
            new HoldReporter(new Events(new KubernetesApi(api), clock), metrics),
            new KnownCluster(SYNCING, Optional.of(List.of(POOL)), Optional.of(false)).makers(),
            metrics,
            clock,
            SampleSettings.usual());

    HoldMonitorTest() {
        api.to("/events", new ApiAnswer(201, Trees.json("{}")));
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aProvenCallerIsBelieved() {
        refused(new ApiServer(), "c");

        assertThat(monitor.since(KnownCluster.rollout(POOL, "c"))).hasValue(FakeClock.BEGIN);
    }

    @Test
    void aStrangerIsBelievedOnlyWhereThePoolSaysTheSame() {
        refused(new Stranger(), "c");
        assertThat(monitor.since(KnownCluster.rollout(POOL, "c"))).isEmpty();
        assertThat(api.waiting()).isZero();

        refused(new Stranger(), "b");
        assertThat(monitor.since(KnownCluster.rollout(POOL, "b"))).hasValue(FakeClock.BEGIN);
    }

    @Test
    void oneEventWhenItBeginsAndOneWhenItEnds() throws InterruptedException {
        refused(new ApiServer(), "b");
        refused(new ApiServer(), "b");
        var begun = api.next().body();
        assertThat(begun.at("/reason").asText()).isEqualTo("RolloutHeld");
        assertThat(begun.at("/regarding/name").asText()).isEqualTo("worker");
        assertThat(begun.at("/note").asText()).startsWith("held: Argo CD sync payments is running");

        clock.pass(Duration.ofSeconds(75));
        monitor.look(SYNCING);
        assertThat(api.waiting()).isZero();

        monitor.look(Optional.of(List.of()));
        var ended = api.next().body();
        assertThat(ended.at("/reason").asText()).isEqualTo("RolloutReleased");
        assertThat(ended.at("/type").asText()).isEqualTo("Normal");
        assertThat(ended.at("/note").asText()).isEqualTo("goes on after 1 min 15 s: syncs ended");
        assertThat(ended("syncs_ended")).isEqualTo(1);
    }

    @Test
    void aHoldThatEndsBeforeItsSyncIsAWarning() throws InterruptedException {
        refused(new ApiServer(), "b");
        api.next();
        clock.pass(Duration.ofMinutes(20));
        monitor.look(SYNCING);

        assertThat(api.next().body().at("/type").asText()).isEqualTo("Warning");
        assertThat(ended("limit_reached")).isEqualTo(1);
    }

    private void refused(Caller caller, String target) {
        var rollout = KnownCluster.rollout(POOL, target);
        var now = clock.now();
        var held = new RolloutHeld(rollout.scope(), List.of("payments"), now, now.plus(Duration.ofMinutes(20)));
        monitor.refused(caller, rollout, held, now);
    }

    private double ended(String outcome) {
        return metrics.get("gitops.interlock.holds.ended")
                .tag("outcome", outcome)
                .counter()
                .count();
    }
}
