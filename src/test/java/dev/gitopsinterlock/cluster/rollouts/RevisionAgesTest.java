package dev.gitopsinterlock.cluster.rollouts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.FakeAnswers;
import dev.gitopsinterlock.cluster.api.FakeClock;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RevisionAgesTest {

    private static final String PATH = "/apis/machineconfiguration.openshift.io/v1/machineconfigs/rendered-worker-b";

    private final FakeAnswers api = new FakeAnswers();
    private final FakeClock clock = new FakeClock();
    private final RevisionAges ages = new RevisionAges(new KubernetesApi(api, clock));

    @Test
    void isTheTimeOfTheObjectsCreation() throws InterruptedException {
        api.to(PATH, new ApiAnswer(200, Trees.json("{'metadata': {'creationTimestamp': '2026-11-21T11:00:00Z'}}")));

        assertThat(ages.created(PATH, Deadline.in(clock, Duration.ofSeconds(5))))
                .hasValue(Instant.parse("2026-11-21T11:00:00Z"));
        assertThat(api.next().patience()).as("never longer than this").isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void isNotAskedForLongerThanTheCallerWaits() throws InterruptedException {
        api.silentTo(PATH);

        assertThat(ages.created(PATH, Deadline.in(clock, Duration.ofMillis(700))))
                .isEmpty();
        assertThat(api.next().patience()).isEqualTo(Duration.ofMillis(700));
    }

    @Test
    void isNotKnownWithoutAnAnswer() {
        api.silentTo(PATH);
        assertThat(ages.created(PATH, Deadline.in(clock, Duration.ofSeconds(5))))
                .isEmpty();

        api.to(PATH, new ApiAnswer(404, Trees.json("{'kind': 'Status'}")));
        assertThat(ages.created(PATH, Deadline.in(clock, Duration.ofSeconds(5))))
                .isEmpty();
    }
}
