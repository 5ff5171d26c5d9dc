package dev.gitopsinterlock.cluster.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gitopsinterlock.announced.Announcement;
import dev.gitopsinterlock.cluster.api.FakeClock;
import dev.gitopsinterlock.cluster.api.FakeLeases;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which Leases there are in a cluster whose clock is an hour behind, and what is sent for that. */
class LeaseWriterTest {

    private static final Duration BEHIND = Duration.ofHours(-1);

    private final FakeClock clock = new FakeClock();
    private final FakeLeases cluster = new FakeLeases(clock.ahead(BEHIND));
    private final LeaseWriter writer = writer();

    private LeaseWriter writer() {
        return new LeaseWriter(new KubernetesApi(cluster, clock), clock);
    }

    private static Announcement sync(String name) {
        return new Announcement(name, Optional.of(FakeClock.BEGIN.minusSeconds(30)), false);
    }

    /** As a moment later, with what is said then. */
    private void round(LeaseWriter which, String... names) throws IOException {
        which.want(List.of(names).stream().map(LeaseWriterTest::sync).toList());
        which.keep();
    }

    @BeforeEach
    void begin() throws IOException {
        round(writer);
        cluster.requests().clear();
    }

    @Test
    void aLeaseIsThereWhileItsSyncRunsAndIsRenewedEveryFifteenSeconds() throws IOException {
        round(writer, "a", "b");
        assertThat(cluster.names()).containsExactly("a", "b");
        assertThat(writer.size()).isEqualTo(2);

        clock.pass(Duration.ofSeconds(14));
        round(writer, "a", "b");
        assertThat(cluster.requests()).hasSize(2);

        clock.pass(Duration.ofSeconds(1));
        round(writer, "a", "b");
        assertThat(cluster.requests()).hasSize(4);

        round(writer, "b");
        assertThat(cluster.names()).containsExactly("b");
        assertThat(cluster.requests().getLast()).isEqualTo("DELETE a");
        round(writer, "b");
        assertThat(cluster.requests()).hasSize(5);
    }

    @Test
    void theClustersClockCounts() throws IOException {
        round(writer, "a");

        assertThat(time("renewTime")).isEqualTo(FakeClock.BEGIN.plus(BEHIND));
        assertThat(time("acquireTime")).isEqualTo(FakeClock.BEGIN.plus(BEHIND).minusSeconds(30));
    }

    private Instant time(String field) {
        return Instant.parse(cluster.lease("a").at("/spec/" + field).asText());
    }

    /** Whatever came over it: the watch of Applications, or the thread that tells. */
    @Test
    void whatNobodySaysAnyMoreIsNeitherRenewedNorDeleted() throws IOException {
        round(writer, "a");
        cluster.requests().clear();

        for (int i = 0; i < 4; i++) {
            clock.pass(Duration.ofSeconds(20));
            writer.keep();
        }

        assertThat(cluster.requests()).isEmpty();
    }

    @Test
    void oneThatIsRefusedDoesNotKeepTheOthersWaiting() throws IOException {
        cluster.refuse("a", 403);
        assertThatThrownBy(() -> round(writer, "a", "b")).isInstanceOf(IOException.class);
        assertThat(cluster.names()).containsExactly("b");

        cluster.refuse("a", 0);
        cluster.requests().clear();
        round(writer, "c");

        assertThat(cluster.names()).containsExactly("c");
        assertThat(cluster.requests())
                .as("it may have been written; what is to go makes room first")
                .containsExactly("DELETE a", "DELETE b", "PATCH c");
    }

    @Test
    void aRoundEndsWhereSomethingElseIsWanted() throws IOException {
        writer.want(List.of(sync("a"), sync("b")));
        cluster.atFirstRequest(() -> writer.want(List.of(sync("c"))));
        writer.keep();
        assertThat(cluster.names()).containsExactly("a");

        writer.keep();
        assertThat(cluster.names()).containsExactly("c");
    }

    @Test
    void whatAHubLeftIsDeletedOnceItHasExpired() throws IOException {
        round(writer, "left");
        clock.pass(Duration.ofSeconds(59));
        var another = writer();

        round(another, "a");
        assertThat(cluster.names()).containsExactly("a", "left");

        clock.pass(LeaseWriter.SWEEP);
        round(another, "a");
        assertThat(cluster.names()).containsExactly("a");
    }

    @Test
    void replicasTakeNothingAwayFromOneAnother() throws IOException {
        var another = writer();
        round(another);

        round(writer, "a");
        round(another);
        assertThat(cluster.names()).as("it does not know yet").containsExactly("a");
        round(another, "a");
        round(writer);
        round(another);

        assertThat(cluster.names()).isEmpty();
    }

    @Test
    void onlyAChangeIsOne() {
        assertThat(writer.want(List.of())).isFalse();
        assertThat(writer.want(List.of(sync("a")))).isTrue();
        assertThat(writer.want(List.of(sync("a")))).isFalse();
    }
}
