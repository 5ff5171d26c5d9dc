package dev.gitopsinterlock.system.stress;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.run.Parallel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;

/** A Namespace of Jobs, all of which are edited once, ten at a time. */
final class Round {

    static final int AT_A_TIME = 10;

    /** Without any Job getting further; the controllers have nothing else to do. */
    private static final Duration STANDSTILL = Duration.ofSeconds(30);

    /** After this the service no longer waits before it creates the new Job, as in nearly all of real life. */
    private static final Duration LONG_FINISHED = Duration.ofSeconds(6);

    private final ControlPlane controlPlane;
    private final Kind kind;
    private final Way way;
    private final int count;
    private final String namespace;
    private final Client client;
    private final Map<String, Duration> latencies = new ConcurrentHashMap<>();
    private final Map<String, String> refusals = new ConcurrentHashMap<>();
    private final Map<String, String> answered = new ConcurrentHashMap<>();

    Round(ControlPlane controlPlane, Kind kind, Way way, int count) {
        this.controlPlane = controlPlane;
        this.kind = kind;
        this.way = way;
        this.count = count;
        this.namespace = "stress-" + kind + "-" + way.label();
        controlPlane.createNamespace(namespace);
        this.client = new Client(controlPlane, namespace);
    }

    Figures run() {
        inParallel(number -> way.begin(client, kind, number, name(number)).orFail());
        await("all Jobs " + kind)
                .atMost(Duration.ofMinutes(5))
                .until(() -> unreached().isEmpty());
        if (kind == Kind.FINISHED) {
            var youngest = finished().stream().max(Instant::compareTo).orElseThrow();
            await("all Jobs finished for a while")
                    .until(() -> youngest.plus(LONG_FINISHED).isBefore(Instant.now()));
        }
        var old = uids();
        try (var witness = new Witness(controlPlane.admin(), namespace)) {
            await("watches begun")
                    .until(() -> old.keySet().stream()
                            .allMatch(name -> witness.uids(name).contains(old.get(name))
                                    && witness.pods(old.getOrDefault(name, "")) == 1));
            inParallel(this::edit);
            var stuck = awaitStandstill(old);
            witness.catchUp();
            var figures = figures(old, stuck, witness);
            remove();
            return figures;
        }
    }

    private void edit(int number) {
        var name = name(number);
        var begin = System.nanoTime();
        var answer = way.run(client, kind, number, name);
        latencies.put(name, Duration.ofNanos(System.nanoTime() - begin));
        if (answer.isSuccess()) {
            answered.put(name, answer.uid());
        } else {
            refusals.put(name, answer.toString());
        }
    }

    /** Ends when every new Job got where it should, or none got any further for a while; says which did not. */
    private List<JsonNode> awaitStandstill(Map<String, String> old) {
        var left = new int[] {Integer.MAX_VALUE};
        var since = new Instant[] {Instant.now()};
        await("all new Jobs " + kind + ", or a standstill")
                .atMost(Duration.ofMinutes(10))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    var now = unreached(old).size();
                    if (now < left[0]) {
                        left[0] = now;
                        since[0] = Instant.now();
                    }
                    return now == 0 || since[0].plus(STANDSTILL).isBefore(Instant.now());
                });
        return unreached(old);
    }

    private Figures figures(Map<String, String> old, List<JsonNode> stuck, Witness witness) {
        var lost = new ArrayList<String>();
        var twice = new ArrayList<String>();
        var live = uids();
        for (var name : old.keySet()) {
            if (refusals.containsKey(name)) {
                continue;
            }
            var uid = live.get(name);
            if (uid == null || uid.equals(old.get(name)) || !uid.equals(answered.get(name))) {
                lost.add(name);
            } else if (witness.uids(name).size() != 2 || witness.pods(uid) > 1) {
                twice.add(name);
            }
        }
        return new Figures(
                kind,
                way,
                count,
                latencies.values().stream().sorted().toList(),
                List.copyOf(refusals.values()),
                stuck.stream().map(Round::state).toList(),
                lost,
                twice);
    }

    private static String state(JsonNode job) {
        return job.at("/metadata/name").asText() + " " + job.path("status");
    }

    private List<JsonNode> unreached() {
        return unreached(Map.of());
    }

    /** Jobs that are not where they should be; old ones are none of them. */
    private List<JsonNode> unreached(Map<String, String> old) {
        var jobs = new ArrayList<JsonNode>();
        for (var job : client.list()) {
            var isOld = job.at("/metadata/uid")
                    .asText()
                    .equals(old.get(job.at("/metadata/name").asText()));
            if (!isOld && !kind.isReached(job)) {
                jobs.add(job);
            }
        }
        return jobs;
    }

    private List<Instant> finished() {
        return client.list()
                .valueStream()
                .map(job -> Instant.parse(job.at("/status/completionTime").asText()))
                .toList();
    }

    private Map<String, String> uids() {
        var uids = new TreeMap<String, String>();
        for (var job : client.list()) {
            var name = job.at("/metadata/name").asText();
            if (name.startsWith("job-")) {
                uids.put(name, job.at("/metadata/uid").asText());
            }
        }
        return uids;
    }

    /** So that the next round has the machine for itself. */
    private void remove() {
        var namespaces = controlPlane.admin().namespaces();
        namespaces.withName(namespace).delete();
        await("Namespace gone")
                .atMost(Duration.ofMinutes(5))
                .until(() -> Optional.ofNullable(namespaces.withName(namespace).get())
                        .isEmpty());
    }

    private String name(int number) {
        return "job-%03d".formatted(number);
    }

    private void inParallel(IntConsumer task) {
        Parallel.run(AT_A_TIME, count, task);
    }
}
