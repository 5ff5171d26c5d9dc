package dev.gitopsinterlock.system.stress;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.system.stress.Client.Answer;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.OthersWebhook;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Jobs are replaced while another client writes to them without a pause: what that client was told is stored is in the
 * new Job. A few Jobs with every build, hundreds with {@code make stress}.
 */
@ExtendWith(Cluster.Extension.class)
class AcknowledgedWritesIT {

    private static final Executor CLIENTS = Thread.ofVirtual()::start;
    /** For each edit, while it is under way; one that came without an end would only be given back again and again. */
    private static final int WRITES = 20;

    private final Cluster cluster;
    private final int jobs = Integer.getInteger("stress.jobs", 9);

    AcknowledgedWritesIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void noneIsLost() {
        assertNoneIsLost("writes");
    }

    /** Another webhook takes its time over each Job, so that every step of ours takes longer. */
    @Test
    void noneIsLostWhileAnotherWebhookIsSlow() {
        var namespace = "slow-writes";
        try (var _ = OthersWebhook.slow(cluster.controlPlane(), namespace, "a", Duration.ofMillis(150))) {
            assertNoneIsLost(namespace);
        }
    }

    private void assertNoneIsLost(String namespace) {
        var controlPlane = cluster.controlPlane();
        controlPlane.createNamespace(namespace);
        var client = new Client(controlPlane, namespace);
        var lost = new ArrayList<String>();
        var written = 0;
        var replaced = 0;
        for (int number = 0; number < jobs; number++) {
            var name = "job-%03d".formatted(number);
            var old = begin(client, number, name);
            var writer = CompletableFuture.supplyAsync(() -> write(client, name), CLIENTS);
            var edit = way(number).run(client, kind(number), number, name);
            var live = client.get(name).orFail();
            for (var acknowledged : writer.join()) {
                written++;
                live = client.get(name).orFail();
                if (!isIn(live.body(), acknowledged)) {
                    lost.add(name + " " + acknowledged);
                }
            }
            var isNew = !live.uid().equals(old);
            assertThat(isNew).as(edit.toString()).isEqualTo(edit.isSuccess());
            replaced += isNew ? 1 : 0;
            client.delete(name);
        }
        System.out.printf(
                "acknowledged writes, %s: %d written, %d of %d Jobs replaced, %d lost%n",
                namespace, written, replaced, jobs, lost.size());
        assertThat(lost).isEmpty();
        assertThat(replaced).as("Jobs replaced").isGreaterThan(jobs / 2);
    }

    private static Way way(int number) {
        return number % 3 == 2 ? Way.PUT : Way.EDIT;
    }

    private static Kind kind(int number) {
        return number % 4 < 2 ? Kind.FINISHED : Kind.RUNNING;
    }

    /** The uid of a Job that got where it should. */
    private static String begin(Client client, int number, String name) {
        Way.EDIT.begin(client, kind(number), number, name).orFail();
        return client.awaitReached(kind(number), name).uid();
    }

    /** Labels that were acknowledged. */
    private static List<String> write(Client client, String name) {
        var acknowledged = new ArrayList<String>();
        for (int i = 0; i < WRITES; i++) {
            var label = "write-" + i;
            Answer answer = client.patch(name, Trees.json("{'metadata': {'labels': {'%s': 'yes'}}}".formatted(label)));
            if (answer.isSuccess()) {
                acknowledged.add(label);
            }
        }
        return acknowledged;
    }

    private static boolean isIn(JsonNode job, String label) {
        return job.path("metadata").path("labels").has(label);
    }
}
