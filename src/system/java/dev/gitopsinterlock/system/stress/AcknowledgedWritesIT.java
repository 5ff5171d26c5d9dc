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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
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
    /** For each edit and way, while it is under way; one that came without an end would only be given back again and again. */
    private static final int WRITES = 10;
    /** By patches and by PUTs of what was read, in turn. */
    private static final int TO_JOBS = 2;
    /** By the subresource that autoscalers use, too; an edit of one that was scaled just before waits for its controller. */
    private static final int TO_SETS = 3;

    private final Cluster cluster;
    /** Writes that an object on its way out acknowledged. */
    private final AtomicInteger late = new AtomicInteger();
    /** Writes that were acknowledged, by the way to write. */
    private final Map<String, Integer> written = new ConcurrentHashMap<>();

    private final int objects = Integer.getInteger("stress.jobs", 6);

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
                (name, _, _) -> written(client, name, TO_JOBS, IntStream.range(0, WRITES * TO_JOBS)));
    }

    /** One goes in two steps: the API server stores what is written between them, too, and what is written goes with it. */
    @Test
    void noneIsLostOfStatefulSetsThatAreGoing() {
        var namespace = "set-writes";
        cluster.controlPlane().createNamespace(namespace);
        var client = new Client(cluster.controlPlane(), namespace, ResourceType.STATEFUL_SET);
        assertNoneIsLost(
                namespace,
                client,
                number -> Kind.STATEFUL_SET,
                (name, old, ended) -> writtenToOneThatGoes(client, name, old, ended));
        assertThat(late.get()).as("labels of one that was going").isPositive();
    }

    private void assertNoneIsLost(String namespace, Client client, IntFunction<Kind> kinds, Writer others) {
        var lost = new ArrayList<String>();
        var replaced = 0;
        for (int number = 0; number < objects; number++) {
            var name = "edited-%03d".formatted(number);
            var kind = kinds.apply(number);
            way(number).begin(client, kind, number, name).orFail();
            var old = client.awaitReached(kind, name).uid();
            var ended = new AtomicBoolean();
            var writer = CompletableFuture.supplyAsync(() -> others.write(name, old, ended), CLIENTS);
            var edit = way(number).run(client, kind, number, name);
            ended.set(true);
            var acknowledged = writer.join();
            var live = client.get(name).orFail();
            acknowledged.forEach((at, value) -> {
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
        Map<JsonPointer, JsonNode> write(String name, String uid, AtomicBoolean ended);
    }

    private static Way way(int number) {
        return number % 3 == 2 ? Way.PUT : Way.EDIT;
    }

    private static Kind kind(int number) {
        return number % 4 < 2 ? Kind.FINISHED : Kind.RUNNING;
    }

    private Map<JsonPointer, JsonNode> written(Client client, String name, int ways, IntStream writes) {
        var acknowledged = new HashMap<JsonPointer, JsonNode>();
        writes.forEach(i -> {
            var way = List.of("patch", "put", "scale").get(i % ways);
            var label = way + "-" + i;
            var labelled = Trees.json("{'metadata': {'labels': {'%s': 'yes'}}}".formatted(label));
            var replicas = 2 + i % 2;
            var answer = switch (way) {
                case "patch" -> client.patch(name, labelled);
                case "put" -> client.readAndPut(name, labelled);
                default -> client.scale(name, replicas);
            };
            if (answer.isSuccess()) {
                written.merge(way, 1, Integer::sum);
                if (answer.body().path("metadata").has("deletionTimestamp")) {
                    late.incrementAndGet();
                }
                if (way.equals("scale")) {
                    acknowledged.put(PatchBuilder.at("spec", "replicas"), IntNode.valueOf(replicas));
                } else {
                    acknowledged.put(PatchBuilder.at("metadata", "labels", label), TextNode.valueOf("yes"));
                }
            }
        });
        return acknowledged;
    }

    /** Before it goes, and from then on: to the old one until it has gone, then to the new one. */
    private Map<JsonPointer, JsonNode> writtenToOneThatGoes(
            Client client, String name, String uid, AtomicBoolean ended) {
        var acknowledged = new HashMap<>(written(client, name, TO_JOBS, IntStream.range(0, WRITES)));
        await("on its way out").pollInterval(Duration.ofMillis(1)).until(() -> {
            var live = client.get(name);
            return ended.get()
                    || !live.uid().equals(uid)
                    || live.body().path("metadata").has("deletionTimestamp");
        });
        acknowledged.putAll(written(client, name, TO_SETS, IntStream.range(WRITES + 1, WRITES + 1 + WRITES * TO_SETS)));
        return acknowledged;
    }
}
