package dev.gitopsinterlock.system.scale;

import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.MachineConfigController;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * All Nodes of a pool, which the machine-config controller would send to a new configuration a few at a time, and which
 * are sent here one after the other without waiting for any of them. One that is refused comes again in its turn.
 */
final class NodeWave {

    static final String OLD = "rendered-worker-00000000000000000000000000000001";
    static final String NEW = "rendered-worker-00000000000000000000000000000002";

    private static final long PACE_MILLIS = 20;
    private static final int SENDERS = 4;

    private final Api controller;
    private final int count;

    /** Makes the Nodes. */
    NodeWave(ControlPlane controlPlane, Api admin, int count) {
        this.controller = new Api(controlPlane, MachineConfigController.NAMESPACE, "machine-config-controller");
        this.count = count;
        admin.createAll("/api/v1/nodes", 0, count, number -> """
                {"metadata": {"name": "%s", "labels": {"node-role.kubernetes.io/worker": ""}, "annotations": {
                  "machineconfiguration.openshift.io/currentConfig": "%s",
                  "machineconfiguration.openshift.io/desiredConfig": "%s",
                  "machineconfiguration.openshift.io/state": "Done"}}}
                """.formatted(name(number), OLD, OLD));
    }

    /**
     * What became of them.
     *
     * @param held how many requests were refused by a hold
     * @param longestHold from a Node's first refusal until it moved
     * @param others answers that are neither
     */
    record Seen(int moved, int held, Duration longestHold, List<String> others, Duration took) {}

    /** Ends when all have moved, or it is over. */
    Seen sendAll(Duration limit) {
        var waiting = new ConcurrentLinkedQueue<>(
                IntStream.range(0, count).mapToObj(NodeWave::name).toList());
        var moved = ConcurrentHashMap.<String>newKeySet();
        var held = new AtomicInteger();
        Map<String, Instant> since = new ConcurrentHashMap<>();
        var holds = new ConcurrentLinkedQueue<Duration>();
        var others = new ConcurrentLinkedQueue<String>();
        var begin = Instant.now();
        try (var senders = Executors.newScheduledThreadPool(SENDERS)) {
            for (int sender = 0; sender < SENDERS; sender++) {
                var _ = senders.scheduleAtFixedRate(
                        () -> {
                            var node = waiting.poll();
                            if (node == null) {
                                return;
                            }
                            var answer = send(node);
                            if (answer.isSuccess()) {
                                moved.add(node);
                                var first = since.get(node);
                                holds.add(first == null ? Duration.ZERO : Duration.between(first, Instant.now()));
                            } else if (answer.code() == 403 && answer.text().contains("held: ")) {
                                held.incrementAndGet();
                                since.putIfAbsent(node, Instant.now());
                                waiting.add(node);
                            } else {
                                others.add(node + " " + answer);
                                moved.add(node);
                            }
                        },
                        sender * PACE_MILLIS,
                        SENDERS * PACE_MILLIS,
                        TimeUnit.MILLISECONDS);
            }
            await("all Nodes moved").atMost(limit).until(() -> moved.size() == count);
        }
        return new Seen(
                moved.size() - others.size(),
                held.get(),
                holds.stream().max(Duration::compareTo).orElse(Duration.ZERO),
                List.copyOf(others),
                Duration.between(begin, Instant.now()));
    }

    private Api.Answer send(String node) {
        return controller.merge(
                "/api/v1/nodes/" + node,
                "{\"metadata\": {\"annotations\": {\"machineconfiguration.openshift.io/desiredConfig\": \"%s\"}}}"
                        .formatted(NEW));
    }

    private static String name(int number) {
        return "node-" + number;
    }
}
