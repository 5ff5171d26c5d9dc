package dev.gitopsinterlock.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.stress.Client.Answer;
import dev.gitopsinterlock.testing.ControlPlane;
import dev.gitopsinterlock.testing.FaultyApiServer;
import dev.gitopsinterlock.testing.FaultyApiServer.Call;
import dev.gitopsinterlock.testing.FaultyApiServer.Fault;
import dev.gitopsinterlock.testing.Interlock;
import dev.gitopsinterlock.testing.Registration;
import dev.gitopsinterlock.testing.RoundRobin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Replacements whose replica dies or stands still at any of their steps, or whose API server dies, and clients that try
 * again until they are answered: each Job is there in the end, in its new version, and was made anew once. Some with every build, hundreds
 * with {@code make stress}.
 */
class InterruptionsIT {

    private static final List<Call> STEPS = List.of(Call.KEEP_INTENT, Call.DELETE, Call.CREATE, Call.DROP_INTENT);
    private static final Duration BACK = Duration.ofSeconds(60);
    private static final int CREATED = 201;

    private static ControlPlane controlPlane;
    private static RoundRobin balancer;
    private static final List<Replica> REPLICAS = new ArrayList<>();

    private final int jobs = Integer.getInteger("stress.jobs", 12);

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
                case DEATH_OF_ALL -> REPLICAS.forEach(Replica::restart);
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
        var namespace = "interruptions";
        controlPlane.createNamespace(namespace);
        var client = new Client(controlPlane, namespace);
        var faults = new ArrayList<String>();
        var cases = new TreeMap<String, String>();
        var interrupted = 0;
        for (int number = 0; number < jobs; number++) {
            var step = STEPS.get(number % STEPS.size());
            var isBefore = number / STEPS.size() % 2 == 0;
            // each of them at each step, before and after it, once in a while
            var interruption = List.of(Interruption.values())
                    .get((number + number / (2 * STEPS.size())) % Interruption.values().length);
            var what = "%s %s %s, %s Job".formatted(interruption, isBefore ? "before" : "after", step, kind(number));
            var name = "job-%03d".formatted(number);
            begin(client, number, name);

            var hit = edit(client, number, name, step, isBefore, interruption);
            interrupted += hit ? 1 : 0;

            var live = client.get(name);
            if (!live.isSuccess() || !image(live).endsWith(":1.1")) {
                faults.add("lost: " + what + ": " + live);
            }
            cases.put(name, what);
        }
        cases.forEach((name, what) -> {
            if (timesCreated(namespace, name) != 2) {
                faults.add("made %d times: %s".formatted(timesCreated(namespace, name), what));
            }
        });
        System.out.printf("interruptions: %d Jobs, %d interrupted, %d faults%n", jobs, interrupted, faults.size());
        assertThat(faults).isEmpty();
        assertThat(interrupted).as("interrupted").isEqualTo(jobs);
    }

    /** By whatever request. No watch tells: one that ends with its API server may not go on where it was. */
    private static long timesCreated(String namespace, String job) {
        return controlPlane.changes().in(namespace).stream()
                .filter(change -> change.resource().equals("jobs")
                        && change.name().equals(job)
                        && change.code() == CREATED
                        && !change.dryRun())
                .count();
    }

    /** Whether the interruption happened. The client tries again until the edit is carried out. */
    private static boolean edit(
            Client client, int number, String name, Call step, boolean isBefore, Interruption interruption) {
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
        var first = Way.EDIT.run(client, kind(number), number, name);
        REPLICAS.forEach(replica -> replica.api.recover());
        hit.get().ifPresent(interruption::end);
        if (!isDone(first)) {
            await("edit of " + name).atMost(BACK).until(() -> isDone(Way.EDIT.run(client, kind(number), number, name)));
        }
        return hit.get().isPresent();
    }

    private static boolean isDone(Answer answer) {
        return answer.isSuccess() && image(answer).endsWith(":1.1");
    }

    private static String image(Answer answer) {
        return answer.body().at("/spec/template/spec/containers/0/image").asText();
    }

    private static Kind kind(int number) {
        return number % 4 < 2 ? Kind.FINISHED : Kind.RUNNING;
    }

    private static void begin(Client client, int number, String name) {
        Way.EDIT.begin(client, kind(number), number, name).orFail();
        await(name)
                .atMost(Duration.ofMinutes(1))
                .until(() -> kind(number).isReached(client.get(name).body()));
    }
}
