package dev.gitopsinterlock.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.cluster.api.Events.Happening;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventsTest {

    private static final ObjectReference POOL =
            new ObjectReference("machineconfiguration.openshift.io/v1", "MachineConfigPool", "", "worker", "u");
    private static final Happening HELD = new Happening("Normal", "RolloutHeld", "Hold", "held: ...");

    private final FakeAnswers api = new FakeAnswers();
    private final FakeClock clock = new FakeClock();
    private final Events events = new Events(new KubernetesApi(api, clock), clock);

    EventsTest() {
        api.to("/events", new ApiAnswer(201, Trees.json("{}")));
    }

    @Test
    void anObjectWithoutANamespaceHasItsEventsInDefault() throws InterruptedException {
        events.send(POOL, HELD);
        var request = api.next();

        assertThat(request.path())
                .isEqualTo("/apis/events.k8s.io/v1/namespaces/default/events?fieldManager=gitops-interlock");
        assertThat(request.body().at("/eventTime").asText()).isEqualTo("2026-11-21T12:00:00.000000Z");
        assertThat(request.body().at("/regarding"))
                .isEqualTo(Trees.json("{'apiVersion': 'machineconfiguration.openshift.io/v1',"
                        + " 'kind': 'MachineConfigPool', 'name': 'worker', 'uid': 'u'}"));
        assertThat(request.body().at("/reason").asText()).isEqualTo("RolloutHeld");
    }

    @Test
    void anObjectOfANamespaceHasThemThere() throws InterruptedException {
        events.send(new ObjectReference("batch/v1", "Job", "shop", "db-migrate", "u"), HELD);
        var request = api.next();

        assertThat(request.path()).contains("/namespaces/shop/events");
        assertThat(request.body().at("/regarding/namespace").asText()).isEqualTo("shop");
    }

    @Test
    void beyondABurstTheyAreDroppedUntilTimePasses() throws InterruptedException {
        for (int i = 0; i < 60; i++) {
            events.send(POOL, HELD);
        }
        for (int i = 0; i < 50; i++) {
            api.next();
        }
        clock.pass(Duration.ofMillis(200));
        events.send(POOL, new Happening("Normal", "RolloutReleased", "Release", "goes on"));

        assertThat(api.next().body().at("/reason").asText())
                .as("of the ten beyond the burst there is none")
                .isEqualTo("RolloutReleased");
    }

    /** 180 refused edits of one tenant once took those of all others. */
    @Test
    void oneNamespaceTakesNothingFromAnother() throws InterruptedException {
        for (int i = 0; i < 180; i++) {
            events.sendAsSeries(new ObjectReference("batch/v1", "Job", "loud", "job-" + i, "u" + i), HELD);
        }
        for (int i = 0; i < 25; i++) {
            api.next();
        }
        events.sendAsSeries(new ObjectReference("batch/v1", "Job", "quiet", "job", "u"), HELD);

        assertThat(api.next().path()).contains("/namespaces/quiet/events");
    }

    @Test
    void allNamespacesTogetherAreBounded() throws InterruptedException {
        for (int i = 0; i < 1000; i++) {
            events.sendAsSeries(new ObjectReference("batch/v1", "Job", "ns-" + i, "job", "u" + i), HELD);
        }
        for (int i = 0; i < 250; i++) {
            api.next();
        }
        clock.pass(Duration.ofMillis(100));
        events.sendAsSeries(new ObjectReference("batch/v1", "Job", "last", "job", "u"), HELD);

        assertThat(api.next().path()).as("of those beyond there is none").contains("/namespaces/last/events");
    }

    @Test
    void nobodyWhoSendsOneHearsThatItWasLost() throws InterruptedException {
        api.silentTo("/events");
        events.send(POOL, HELD);

        assertThat(api.next().path()).contains("/events");
    }

    @Test
    void aSeriesIsOneEventWithACount() throws InterruptedException {
        var job = new ObjectReference("batch/v1", "Job", "shop", "db-migrate", "u");
        events.sendAsSeries(job, HELD);
        var created = api.next();
        events.sendAsSeries(job, HELD);
        clock.pass(Duration.ofMinutes(1));
        events.sendAsSeries(job, HELD);
        var patched = api.next();

        assertThat(created.method()).isEqualTo("POST");
        assertThat(patched.method()).isEqualTo("PATCH");
        assertThat(patched.path())
                .isEqualTo(created.path()
                        .replace("?", "/" + created.body().at("/metadata/name").asText() + "?"));
        assertThat(patched.body())
                .isEqualTo(Trees.json("{'series': {'count': 3, 'lastObservedTime': '2026-11-21T12:01:00.000000Z'}}"));
    }

    /** A GitOps tool that tries for ever keeps nobody from being told that a Job was replaced. */
    @Test
    void manySeriesTakeNothingFromOtherEvents() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            events.sendAsSeries(new ObjectReference("batch/v1", "Job", "shop", "j", "u" + i), HELD);
        }
        for (int i = 0; i < 25; i++) {
            api.next();
        }
        events.send(POOL, new Happening("Normal", "Replaced", "Replace", "..."));

        assertThat(api.next().body().at("/reason").asText()).isEqualTo("Replaced");
    }
}
