package dev.gitopsinterlock.system.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.system.stress.Client.Answer;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.FaultyApiServer;
import dev.gitopsinterlock.testing.cluster.FaultyApiServer.Call;
import dev.gitopsinterlock.testing.cluster.FaultyApiServer.Fault;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.RoundRobin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Replacements whose replica dies or stands still at any of their steps, or whose API server dies, and clients that try
 * again until they are answered: each object is there in the end, in its new version, and was made anew once. Some with
 * every build, one at a time; hundreds with {@code make stress}, ten at a time, so that each is at another step.
 */
class InterruptionsIT {

    private static final List<Call> STEPS = List.of(Call.KEEP_INTENT, Call.DELETE, Call.CREATE, Call.DROP_INTENT);
    private static final Duration BACK = Duration.ofSeconds(60);
    private static final int CREATED = 201;

    private static ControlPlane controlPlane;
    private static RoundRobin balancer;
    private static final List<Replica> REPLICAS = new ArrayList<>();

    private static final int AT_ONCE = Integer.getInteger("stress.at-once", 1);
    /** How long nobody is there when all have died. */
    private static final Duration OUTAGE = Duration.ofSeconds(Integer.getInteger("stress.outage", 0));

    private static final Executor CLIENTS = Thread.ofVirtual()::start;

    private final int rounds = Math.ceilDiv(Integer.getInteger("stress.jobs", 8), AT_ONCE);

    /** A service and the API server as it sees it. */
    private static final class Replica {

        private final FaultyApiServer api = FaultyApiServer.before(controlPlane);
        private Interlock service = launch();

        private Interlock launch() {
            return api.behind(Interlock.serving(controlPlane.webhookCertificates()))
                    .launch();
        }

        private void restart() {
            balancer.remove(service);
            service = launch();
            service.awaitReady();
            balancer.add(service);
        }

        private void close() {
            service.close();
            api.close();
        }
    }

    /** What happens to a replica. */
    private enum Interruption {
        DEATH,
        STANDSTILL,
        DEATH_OF_ALL,
        DEATH_OF_THE_API_SERVER;

        void begin(Replica replica) {
            switch (this) {
                case DEATH -> replica.service.process().destroyForcibly();
                case STANDSTILL -> replica.service.standStill();
                case DEATH_OF_ALL ->
                    REPLICAS.forEach(each -> each.service.process().destroyForcibly());
                case DEATH_OF_THE_API_SERVER -> controlPlane.killApiServer();
            }
        }

        void end(Replica replica) {
            switch (this) {
                case DEATH -> replica.restart();
                case STANDSTILL -> replica.service.goOn();
                case DEATH_OF_ALL -> {
                    await().pollDelay(OUTAGE).forever().until(() -> true);
                    REPLICAS.forEach(Replica::restart);
                }
                case DEATH_OF_THE_API_SERVER -> {
                    // it comes back by itself
                }
            }
        }
    }

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.startToBeKilled();
        var registration = Registration.in(controlPlane);
        REPLICAS.add(new Replica());
        REPLICAS.add(new Replica());
        REPLICAS.forEach(replica -> replica.service.awaitReady());
        var services = REPLICAS.stream().map(replica -> replica.service).toArray(Interlock[]::new);
        balancer = RoundRobin.over(services);
        registration.of(balancer.url(), 10, services);
    }

    @AfterAll
    static void stop() {
        balancer.close();
        REPLICAS.forEach(Replica::close);
        controlPlane.close();
    }

    @Test
    void noJobIsLostOrRunsTwice() {
        assertNoneIsLostOrMadeTwice(ResourceType.JOB, rounds);
    }

    /** Which goes in two steps, so that more happens between two requests of ours. */
    @Test
    void noStatefulSetIsLostOrMadeTwice() {
        assertNoneIsLostOrMadeTwice(ResourceType.STATEFUL_SET, Math.ceilDiv(rounds, 2));
    }

    private static void assertNoneIsLostOrMadeTwice(ResourceType type, int rounds) {
        var namespace = "interruptions-" + type.plural();
        controlPlane.createNamespace(namespace);
        var client = new Client(controlPlane, namespace, type);
        var faults = new ArrayList<String>();
        var cases = new TreeMap<String, String>();
        var interrupted = 0;
        for (int round = 0; round < rounds; round++) {
            var step = STEPS.get(round % STEPS.size());
            var isBefore = round / STEPS.size() % 2 == 0;
            // each of them at each step, before and after it, once in a while
            var interruption = List.of(Interruption.values())
                    .get((round + round / (2 * STEPS.size())) % Interruption.values().length);
            var edits = edits(client, type, round);
            edits.forEach(Edit::begin);
            edits.forEach(Edit::awaitReached);

            interrupted += sendAll(edits, step, isBefore, interruption) ? 1 : 0;

            for (var edit : edits) {
                var what = "%s %s %s, %s".formatted(interruption, isBefore ? "before" : "after", step, edit.kind);
                var live = client.get(edit.name());
                if (!edit.isDone(live)) {
                    faults.add("lost: " + what + ": " + live);
                }
                cases.put(edit.name(), what);
            }
        }
        cases.forEach((name, what) -> {
            var times = timesCreated(type, namespace, name);
            // an API server that is killed writes no line about what it has stored and not answered yet
            var isUntold = times == 1 && what.startsWith(Interruption.DEATH_OF_THE_API_SERVER.name());
            if (times != 2 && !isUntold) {
                faults.add("made %d times: %s".formatted(times, what));
            }
        });
        System.out.printf(
                "interruptions: %d %s, %d at once, %d interruptions, %d faults%n",
                cases.size(), type.plural(), AT_ONCE, interrupted, faults.size());
        assertThat(faults).isEmpty();
        assertThat(interrupted).as("interruptions").isEqualTo(rounds).isPositive();
    }

    private static List<Edit> edits(Client client, ResourceType type, int round) {
        return IntStream.range(0, AT_ONCE)
                .map(i -> round * AT_ONCE + i)
                .mapToObj(number -> new Edit(client, number, kind(type, number)))
                .toList();
    }

    /** By whatever request. No watch tells: one that ends with its API server may not go on where it was. */
    private static long timesCreated(ResourceType type, String namespace, String name) {
        return controlPlane.changes().in(namespace).stream()
                .filter(change -> change.resource().equals(type.plural())
                        && change.name().equals(name)
                        && change.code() == CREATED
                        && !change.dryRun())
                .count();
    }

    /** Whether the interruption happened, at the first of them that got so far. The clients try again until they are done. */
    private static boolean sendAll(List<Edit> edits, Call step, boolean isBefore, Interruption interruption) {
        var hit = new AtomicReference<Optional<Replica>>(Optional.empty());
        for (var replica : REPLICAS) {
            Runnable event = () -> {
                var isFirst = hit.getAndUpdate(first -> first.or(() -> Optional.of(replica)))
                        .isEmpty();
                if (isFirst) {
                    interruption.begin(replica);
                }
            };
            replica.api.on(step, isBefore ? Fault.after(event) : Fault.before(event));
        }
        var open = inParallel(edits, edit -> !edit.isDone(edit.send()));
        REPLICAS.forEach(replica -> replica.api.recover());
        hit.get().ifPresent(interruption::end);
        inParallel(open, edit -> !edit.sendUntilDone());
        return hit.get().isPresent();
    }

    /** Those of which something holds. */
    private static List<Edit> inParallel(List<Edit> edits, Predicate<Edit> predicate) {
        var holds = edits.stream()
                .map(edit -> CompletableFuture.supplyAsync(() -> predicate.test(edit), CLIENTS))
                .toList();
        return IntStream.range(0, edits.size())
                .filter(i -> holds.get(i).join())
                .mapToObj(edits::get)
                .toList();
    }

    private static Kind kind(ResourceType type, int number) {
        return type.equals(ResourceType.STATEFUL_SET)
                ? Kind.STATEFUL_SET
                : number % 4 < 2 ? Kind.FINISHED : Kind.RUNNING;
    }

    /** Of an object of its own. */
    private record Edit(Client client, int number, Kind kind) {

        String name() {
            return "edited-%04d".formatted(number);
        }

        boolean isDone(Answer answer) {
            return answer.isSuccess() && kind.is(answer.body(), "1.1");
        }

        void begin() {
            Way.EDIT.begin(client, kind, number, name()).orFail();
        }

        void awaitReached() {
            client.awaitReached(kind, name());
        }

        /** Whether it is done in the end. */
        boolean sendUntilDone() {
            try {
                await().atMost(BACK).until(() -> isDone(send()));
                return true;
            } catch (ConditionTimeoutException e) {
                return false;
            }
        }

        Answer send() {
            return Way.EDIT.run(client, kind, number, name());
        }
    }
}
