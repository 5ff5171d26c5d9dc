package dev.gitopsinterlock.cluster.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Caller.Unauthenticated;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.RunningSync.Kind;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Events;
import dev.gitopsinterlock.cluster.api.FakeAnswers;
import dev.gitopsinterlock.cluster.api.FakeClock;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.cache.ClusterWatch;
import dev.gitopsinterlock.cluster.cache.Watched;
import dev.gitopsinterlock.gate.HoldMemory;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.RestartMakers;
import dev.gitopsinterlock.gate.RolloutHeld;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.machineconfig.MachineConfigView;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.testing.review.Gates;
import dev.gitopsinterlock.testing.review.KnownCluster;
import dev.gitopsinterlock.testing.review.SampleSettings;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose refusals are remembered, and what people are told of them. */
class HoldMonitorTest {

    private static final Optional<List<RunningSync>> SYNCING = Optional.of(List.of(KnownCluster.sync(FakeClock.BEGIN)));

    /** Its Nodes are to have {@code b}. */
    private static final Pool POOL = pool("b");

    private final AtomicReference<List<Pool>> pools = new AtomicReference<>(List.of(POOL));

    private final FakeClock clock = new FakeClock();
    private final FakeAnswers api = new FakeAnswers();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final KubernetesClient client = Watched.nowhere();
    private final HoldMonitor monitor = new HoldMonitor(
            new HoldMemory(),
            new ClusterWatch(SampleSettings.usual(), client, metrics, clock),
            new HoldReporter(new Events(new KubernetesApi(api, clock), clock), metrics),
            new RestartMakers(List.of(new MachineConfigController(
                    Gates.CONTROLLER, () -> new MachineConfigView(Optional.of(pools.get()), Optional.of(false))))),
            metrics,
            clock,
            SampleSettings.usual());

    HoldMonitorTest() {
        api.to("/events", new ApiAnswer(201, Trees.json("{}")));
        monitor.gauges();
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
        refused(new Unauthenticated(), "c");
        assertThat(monitor.since(KnownCluster.rollout(POOL, "c"))).isEmpty();
        assertThat(api.waiting()).isZero();

        refused(new Unauthenticated(), "b");
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
        assertThat(ended.at("/note").asText())
                .isEqualTo(
                        "goes on after 1 min 15 s: syncs ended. The next try can take as long again, at most 82 s; to have it"
                                + " now: oc annotate --overwrite mcp worker touched=\"$(date)\"");
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

    /** Several Nodes of a rollout are one, and it is looked at until its syncs have ended: nobody tries it again. */
    @Test
    void whatWouldHaveBeenHeldIsToldWhenItBeginsAndWhenItWouldHaveGoneOn() throws InterruptedException {
        observed(new ApiServer(), "b");
        clock.pass(Duration.ofSeconds(60));
        observed(new ApiServer(), "b");
        var begun = api.next().body();
        assertThat(begun.at("/reason").asText()).isEqualTo("RolloutWouldWait");
        assertThat(begun.at("/regarding/name").asText()).isEqualTo("worker");
        assertThat(begun.at("/note").asText()).startsWith("would be held: Argo CD sync payments is running; until ");

        var another = new RunningSync(
                Kind.APPLICATION, "argocd", "platform", "default", Optional.empty(), Optional.of(clock.now()));
        monitor.look(Optional.of(List.of(KnownCluster.sync(FakeClock.BEGIN), another)));
        clock.pass(Duration.ofSeconds(15));
        monitor.look(SYNCING);
        assertThat(api.waiting()).isZero();
        assertThat(metrics.get("gitops.interlock.observed.holds").gauge().value())
                .isEqualTo(1);

        monitor.look(Optional.of(List.of()));
        var ended = api.next().body();
        assertThat(ended.at("/reason").asText()).isEqualTo("RolloutWouldGoOn");
        assertThat(ended.at("/note").asText())
                .isEqualTo("would have been held for 1 min 15 s by Argo CD syncs payments, platform: syncs ended");
        var told = metrics.get("gitops.interlock.observed.hold")
                .tag("outcome", "syncs_ended")
                .timer();
        assertThat(told.count()).isEqualTo(1);
        assertThat(told.totalTime(TimeUnit.SECONDS)).isEqualTo(75);
        assertThat(ended("syncs_ended")).as("nothing was held").isZero();
        assertThat(metrics.get("gitops.interlock.observed.holds").gauge().value())
                .isZero();
    }

    @Test
    void whatIsObservedWouldNotHaveBeenHeldBeyondTheLimit() throws InterruptedException {
        observed(new ApiServer(), "b");
        api.next();
        clock.pass(Duration.ofMinutes(20));
        monitor.look(SYNCING);

        var ended = api.next().body();
        assertThat(ended.at("/type").asText()).isEqualTo("Normal");
        assertThat(ended.at("/note").asText())
                .isEqualTo("would have been held for 20 min 00 s by Argo CD sync payments: limit reached");
    }

    /** A Node that goes is not sent again, and its pool says only then that it is updating. */
    @Test
    void aStrangerIsBelievedAsSoonAsThePoolSaysTheSame() throws InterruptedException {
        observed(new Unauthenticated(), "c");
        monitor.look(SYNCING);
        assertThat(api.waiting()).isZero();
        assertThat(monitor.since(KnownCluster.rollout(POOL, "c"))).isEmpty();

        pools.set(List.of(pool("c")));
        clock.pass(Duration.ofSeconds(5));
        monitor.look(SYNCING);
        assertThat(api.next().body().at("/reason").asText()).isEqualTo("RolloutWouldWait");
        assertThat(monitor.since(KnownCluster.rollout(POOL, "c"))).hasValue(FakeClock.BEGIN);
    }

    @Test
    void aStrangerIsForgottenWhereThePoolSaysNothingInTime() {
        observed(new Unauthenticated(), "c");
        clock.pass(Duration.ofSeconds(30));
        monitor.look(SYNCING);

        pools.set(List.of(pool("c")));
        monitor.look(SYNCING);
        assertThat(api.waiting()).isZero();
    }

    private void refused(Caller caller, String target) {
        monitor.refused(caller, KnownCluster.rollout(POOL, target), held(target), clock.now());
    }

    private void observed(Caller caller, String target) {
        monitor.observed(caller, KnownCluster.rollout(POOL, target), held(target), clock.now());
    }

    private RolloutHeld held(String target) {
        var now = clock.now();
        return new RolloutHeld(
                KnownCluster.rollout(POOL, target).scope(),
                "",
                new Syncs(List.of("payments")),
                now,
                now.plus(Duration.ofMinutes(20)));
    }

    private static Pool pool(String target) {
        return Pool.of(Trees.json("""
                {'metadata': {'name': 'worker', 'uid': 'u'}, 'spec': {'configuration': {'name': '%s'}},
                 'status': {'machineCount': 2}}
                """.formatted(target)));
    }

    private double ended(String outcome) {
        return metrics.get("gitops.interlock.holds.ended")
                .tag("outcome", outcome)
                .counter()
                .count();
    }
}
