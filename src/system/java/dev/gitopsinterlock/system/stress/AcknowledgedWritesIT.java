package dev.gitopsinterlock.system.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.OthersWebhook;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Objects are replaced while another client writes to them without a pause: what that client was told is stored is in the
 * new object. A few with every build, hundreds with {@code make stress}.
 */
@ExtendWith(Cluster.Extension.class)
class AcknowledgedWritesIT {

    private static final Executor CLIENTS = Thread.ofVirtual()::start;
    /** For each edit, while it is under way; one that came without an end would only be given back again and again. */
    private static final int WRITES = 20;

    private final Cluster cluster;
    /** Writes that an object on its way out acknowledged. */
    private final AtomicInteger late = new AtomicInteger();

    private final int objects = Integer.getInteger("stress.jobs", 9);

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
        cluster.controlPlane().createNamespace(namespace);
        var client = new Client(cluster.controlPlane(), namespace);
        assertNoneIsLost(
                namespace,
                client,
                AcknowledgedWritesIT::kind,
                (name, old) -> labelled(client, name, IntStream.range(0, WRITES)));
    }

    /** One goes in two steps: the API server stores what is written between them, too, and what is written goes with it. */
    @Test
    void noneIsLostOfStatefulSetsThatAreGoing() {
        var namespace = "set-writes";
        cluster.controlPlane().createNamespace(namespace);
        var client = new Client(cluster.controlPlane(), namespace, ResourceType.STATEFUL_SET);
        assertNoneIsLost(
                namespace, client, number -> Kind.STATEFUL_SET, (name, old) -> writtenToOneThatGoes(client, name, old));
        assertThat(late.get()).as("labels of one that was going").isPositive();
    }

    private void assertNoneIsLost(String namespace, Client client, IntFunction<Kind> kinds, Writer others) {
        var lost = new ArrayList<String>();
        var written = new TreeMap<String, Integer>();
        var replaced = 0;
        for (int number = 0; number < objects; number++) {
            var name = "edited-%03d".formatted(number);
            var kind = kinds.apply(number);
            way(number).begin(client, kind, number, name).orFail();
            var old = client.awaitReached(kind, name).uid();
            var writer = CompletableFuture.supplyAsync(() -> others.write(name, old), CLIENTS);
            var edit = way(number).run(client, kind, number, name);
            var acknowledged = writer.join();
            var live = client.get(name).orFail();
            acknowledged.forEach((at, value) -> {
                written.merge(at.last().getMatchingProperty().replaceFirst("-.*", ""), 1, Integer::sum);
                if (!live.body().at(at).equals(value)) {
                    lost.add(name + " " + at);
                }
            });
            var isNew = !live.uid().equals(old);
            assertThat(isNew).as(edit.toString()).isEqualTo(edit.isSuccess());
            replaced += isNew ? 1 : 0;
            client.delete(name);
        }
        System.out.printf(
                "acknowledged writes, %s: written %s, %d of %d replaced, %d lost%n",
                namespace, written, replaced, objects, lost.size());
        assertThat(lost).isEmpty();
        assertThat(written).as("writes").containsKeys("patch", "put");
        assertThat(replaced).as("replaced").isGreaterThan(objects / 2);
    }

    /** Writes to an object that is being edited. */
    private interface Writer {

        /** What it was told is stored, by its place. */
        Map<JsonPointer, JsonNode> write(String name, String uid);
    }

    private static Way way(int number) {
        return number % 3 == 2 ? Way.PUT : Way.EDIT;
    }

    private static Kind kind(int number) {
        return number % 4 < 2 ? Kind.FINISHED : Kind.RUNNING;
    }

    /** By patches and by PUTs of what was read, in turn. */
    private Map<JsonPointer, JsonNode> labelled(Client client, String name, IntStream labels) {
        var acknowledged = new HashMap<JsonPointer, JsonNode>();
        labels.forEach(i -> {
            var label = (i % 2 == 0 ? "patch-" : "put-") + i;
            var labelled = Trees.json("{'metadata': {'labels': {'%s': 'yes'}}}".formatted(label));
            var answer = i % 2 == 0 ? client.patch(name, labelled) : client.readAndPut(name, labelled);
            if (answer.isSuccess()) {
                if (answer.body().path("metadata").has("deletionTimestamp")) {
                    late.incrementAndGet();
                }
                acknowledged.put(PatchBuilder.at("metadata", "labels", label), TextNode.valueOf("yes"));
            }
        });
        return acknowledged;
    }

    /** Before it goes, and from then on until it has gone; and it is scaled once. */
    private Map<JsonPointer, JsonNode> writtenToOneThatGoes(Client client, String name, String uid) {
        var acknowledged = new HashMap<>(labelled(client, name, IntStream.range(0, WRITES / 2)));
        await("on its way out").pollInterval(Duration.ofMillis(1)).until(() -> {
            var live = client.get(name);
            return !live.uid().equals(uid) || live.body().path("metadata").has("deletionTimestamp");
        });
        if (client.scale(name, 2).isSuccess()) {
            acknowledged.put(PatchBuilder.at("spec", "replicas"), IntNode.valueOf(2));
        }
        for (int i = WRITES; client.get(name).uid().equals(uid); i++) {
            acknowledged.putAll(labelled(client, name, IntStream.of(i)));
        }
        return acknowledged;
    }
}
