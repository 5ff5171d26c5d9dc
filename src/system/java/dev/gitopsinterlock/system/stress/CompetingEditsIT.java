package dev.gitopsinterlock.system.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.OthersWebhook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several clients edit a Job that may be replaced while it runs: each edit runs once at most. */
@ExtendWith(Cluster.Extension.class)
class CompetingEditsIT {

    private static final Executor CLIENTS = Thread.ofVirtual()::start;
    private static final int WRITERS = 4;

    private final ControlPlane controlPlane;
    private final int jobs = Integer.getInteger("stress.jobs", 6);

    CompetingEditsIT(Cluster cluster) {
        this.controlPlane = cluster.controlPlane();
    }

    /**
     * Another webhook keeps the first client's answer back. Were its Job gone by then, a server-side apply would make it
     * once more.
     */
    @Test
    void noneTakesThePlaceOfOneThatIsNotAnswered() {
        var namespace = "competing";
        controlPlane.createNamespace(namespace);
        var client = new Client(controlPlane, namespace);
        try (var witness = new Witness(controlPlane.admin(), namespace);
                var _ = OthersWebhook.slow(controlPlane, namespace, "zzz", Duration.ofMillis(300))) {
            var uid = begin(client, "db-migrate");

            var first = CompletableFuture.supplyAsync(() -> client.apply(edit("db-migrate", 1)), CLIENTS);
            await("replaced").until(() -> {
                var live = client.get("db-migrate").uid();
                return !live.isEmpty() && !live.equals(uid);
            });
            client.patch("db-migrate", Kind.RUNNING.edit("1.2")).orFail();
            first.join().orFail();

            witness.catchUp();
            assertThat(witness.uids("db-migrate"))
                    .as("first, and one for each edit")
                    .hasSize(3);
        }
    }

    @Test
    void eachRunsOnceAtMost() {
        var namespace = "competing-writers";
        controlPlane.createNamespace(namespace);
        var client = new Client(controlPlane, namespace);
        var effects = 0;
        try (var witness = new Witness(controlPlane.admin(), namespace)) {
            for (int number = 0; number < jobs; number++) {
                var name = "job-%03d".formatted(number);
                begin(client, name);
                effects += IntStream.rangeClosed(1, WRITERS)
                        .mapToObj(writer ->
                                CompletableFuture.supplyAsync(() -> client.apply(edit(name, writer)), CLIENTS))
                        .toList()
                        .stream()
                        .mapToInt(answer -> answer.join().isSuccess() ? 1 : 0)
                        .sum();
            }
            witness.catchUp();
            var tooMany = new ArrayList<String>();
            for (int number = 0; number < jobs; number++) {
                var name = "job-%03d".formatted(number);
                if (witness.uids(name).size() > 1 + WRITERS) {
                    tooMany.add(name + " " + witness.uids(name).size());
                }
            }
            System.out.printf("competing edits: %d Jobs, %d of %d edits carried out%n", jobs, effects, jobs * WRITERS);
            assertThat(tooMany).isEmpty();
        }
    }

    /** Its uid, once it runs. */
    private static String begin(Client client, String name) {
        client.apply(edit(name, 0)).orFail();
        return client.awaitReached(Kind.RUNNING, name).uid();
    }

    private static JsonNode edit(String name, int version) {
        return Kind.RUNNING.manifest(name, "1." + version);
    }
}
