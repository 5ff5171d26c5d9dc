package dev.gitopsinterlock.it.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MemoryLimit;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reviews as large as they get, and shapes of which a few bytes take much memory, sent to the service with the image's
 * heap, which ends at the first OutOfMemoryError. {@code -Dlarge.seconds} says for how long the last test goes on, and
 * {@code -Dlarge.mebibytes} limits the service's memory as a container does, and draws it.
 */
class LargeReviewsIT {

    private static final int MEBI = 1024 * 1024;
    private static final int AT_ONCE = 16;
    private static final Duration ATTACK = Duration.ofSeconds(Integer.getInteger("large.seconds", 10));
    private static final String TOO_LARGE = "gitops-interlock let it through, it is too large";
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(Tls.context())
            .build();

    private static final Optional<MemoryLimit> LIMIT =
            Optional.ofNullable(Integer.getInteger("large.mebibytes")).map(MemoryLimit::ofMebibytes);

    /** A body that never ends, many requests at once, methods of its own, and headers that never end. */
    private static final List<byte[]> ON_THE_OTHER_PORT = Stream.of(
                    "POST /q/metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 10400000\r\n\r\n" + "x".repeat(10_399_999),
                    "GET /q/metrics HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20_000),
                    ("Z".repeat(3_500) + " / HTTP/1.1\r\nHost: x\r\n\r\n").repeat(1_000),
                    "GET / HTTP/1.1\r\nHost: x\r\n" + "X: y\r\n".repeat(100_000))
            .flatMap(request -> Stream.generate(() -> request.getBytes(UTF_8)).limit(4))
            .toList();

    private static final AtomicInteger SENT_TO_OTHER_PORT = new AtomicInteger();

    private static Interlock interlock;

    @BeforeAll
    static void start() {
        interlock = Interlock.serving(MountedSecret.create().directory())
                .startedBy(LIMIT.map(MemoryLimit::starter).orElse(List.of()))
                .with("gitops-interlock.jobs.allow-overrides", "false")
                // slow here is the machine
                .with("gitops-interlock.limits.body-deadline", "2m")
                .start();
    }

    @AfterAll
    static void stop() {
        try (var _ = LIMIT.orElse(null)) {
            interlock.close();
        }
    }

    @AfterEach
    void isAliveAndJudges() throws Exception {
        assertThat(send("/mutate/jobs", ordinary()).body()).contains("\"allowed\":false");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"a\"}",
                "{}",
                "[]",
                "[[]]",
                "{\"\":0}",
                "1",
                "1.5",
                "\"a\"",
                "null",
                "{\"a\":{}}",
                "\"%d\"",
                "{\"%d\":0}",
                "{\"name\":\"%d\",\"value\":\"\u0142%d\"}"
            })
    void anyShapeIsJudgedOrLetThroughWithAWord(String element) throws Exception {
        var elements = new StringBuilder(element.replace("%d", "0"));
        for (int i = 1; elements.length() < 4 * MEBI; i++) {
            elements.append(',').append(element.replace("%d", Integer.toString(i)));
        }
        var review = ordinary().replaceFirst("\"object\":\\{", "\"object\":{\"many\":[" + elements + "],");

        var answer = send("/mutate/jobs", review);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .containsPattern("\"allowed\":false|" + TOO_LARGE)
                .contains(uid());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mutate/jobs", "/validate/jobs"})
    void manyEmptyVariablesOfANewJob(String path) throws Exception {
        var job = withVariables(Jobs.finished(), 350_000, "{\"name\": \"\"}");

        var answer = send(path, Reviews.create(job, "kubectlApply", "nobody").toString());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains(TOO_LARGE);
    }

    /** As large as etcd takes them, and all at once. */
    @Test
    void theLargestJobsAreAllJudged() {
        var review = largest();

        var answers = IntStream.range(0, AT_ONCE)
                .mapToObj(i -> sendAsync("/mutate/jobs?timeout=5m", review))
                .toList();

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.join().statusCode()).isEqualTo(200);
            assertThat(answer.join().body()).contains("\"allowed\":false");
        });
    }

    /** Nobody waits for the large ones, whatever they are, nor for what comes to the port that needs no token. */
    @Test
    void ordinaryReviewsAreAnsweredMeanwhile() throws Exception {
        var bodies = new String[] {
            largest(),
            withVariables("{\"name\":\"a\"}", 300_000),
            withVariables("{\"name\":\"%d\",\"value\":\"x\"}", 100_000)
        };
        var ordinary = ordinary();
        var end = System.nanoTime() + ATTACK.toNanos();
        var attackers = new ArrayList<Thread>();
        for (int i = 0; i < AT_ONCE; i++) {
            var body = bodies[i % bodies.length];
            attackers.add(Thread.ofPlatform().start(() -> {
                while (System.nanoTime() < end) {
                    sendAsync("/mutate/jobs", body)
                            .handle((answer, failure) -> answer)
                            .join();
                }
            }));
        }
        for (var request : ON_THE_OTHER_PORT) {
            attackers.add(Thread.ofPlatform().start(() -> {
                while (System.nanoTime() < end) {
                    sendToOtherPort(request);
                }
            }));
        }
        var latencies = new ArrayList<Long>();
        var memory = new ArrayList<Long>();
        while (System.nanoTime() < end) {
            var begin = System.nanoTime();
            LIMIT.map(MemoryLimit::mebibytesNow).ifPresent(memory::add);
            assertThat(send("/mutate/jobs", ordinary).body()).contains("\"allowed\":false");
            latencies.add((System.nanoTime() - begin) / 1_000_000);
            assertThat(interlock.get("/q/health/live").statusCode()).isEqualTo(200);
        }
        for (var attacker : attackers) {
            attacker.join();
        }

        latencies.sort(null);
        System.out.printf(
                "large reviews: %d ordinary ones meanwhile, p50 %d ms, p99 %d ms, most %d ms%n",
                latencies.size(),
                latencies.get(latencies.size() / 2),
                latencies.get(latencies.size() * 99 / 100),
                latencies.getLast());
        LIMIT.ifPresent(limit -> draw(memory, limit.mebibytesAtMost()));
        assertThat(latencies).isNotEmpty();
        assertThat(SENT_TO_OTHER_PORT.get()).as("connections to the other port").isPositive();
    }

    /** From an address of its own, as the kubelet that probes has another one than any Pod. */
    private static void sendToOtherPort(byte[] request) {
        var port = URI.create("http://" + interlock.management()).getPort();
        try (var socket = new Socket("127.0.0.1", port, InetAddress.ofLiteral("127.0.0.2"), 0)) {
            socket.setSoTimeout(60_000);
            SENT_TO_OTHER_PORT.incrementAndGet();
            socket.getOutputStream().write(request);
            // for as long as it lets us
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // closed, as it should be
        }
    }

    /** A line for each thirtieth of the time. */
    private static void draw(List<Long> mebibytes, long most) {
        System.out.printf("charged to the container, most ever %d MiB:%n", most);
        int step = Math.max(1, mebibytes.size() / 30);
        for (int begin = 0; begin < mebibytes.size(); begin += step) {
            var part = mebibytes.subList(begin, Math.min(mebibytes.size(), begin + step));
            var max = part.stream().mapToLong(Long::longValue).max().orElseThrow();
            System.out.printf(
                    "%3d %% of the time %4d MiB %s%n", begin * 100 / mebibytes.size(), max, "#".repeat((int) max / 4));
        }
    }

    private static String ordinary() {
        var job = Jobs.finished();
        return Reviews.update(
                        job, Jobs.with(job, "/spec/template/spec/containers/0/image", "registry.example/migrate:2.0"))
                .toString();
    }

    private static String uid() {
        return "705ab4f5-6393-11e8-b7cc-42010a800002";
    }

    /** A Job of about 1.5 MB, before and after an edit. */
    private static String largest() {
        var job = withVariables(
                Jobs.finished(), 18_000, "{\"name\": \"VARIABLE_%d\", \"value\": \"" + "v".repeat(40) + "%d\"}");
        return Reviews.update(
                        job, Jobs.with(job, "/spec/template/spec/containers/0/image", "registry.example/migrate:2.0"))
                .toString();
    }

    private static String withVariables(String variable, int count) {
        var job = Jobs.finished();
        return Reviews.update(job, withVariables(job, count, variable)).toString();
    }

    private static JsonNode withVariables(JsonNode job, int count, String variable) {
        var changed = (ObjectNode) job.deepCopy();
        var variables = ((ObjectNode) changed.at("/spec/template/spec/containers/0")).putArray("env");
        for (int i = 0; i < count; i++) {
            variables.add(Trees.json(variable.replace("%d", Integer.toString(i))));
        }
        return changed;
    }

    private static HttpResponse<String> send(String path, String body) throws IOException, InterruptedException {
        return CLIENT.send(request(path, body), BodyHandlers.ofString(UTF_8));
    }

    private static CompletableFuture<HttpResponse<String>> sendAsync(String path, String body) {
        return CLIENT.sendAsync(request(path, body), BodyHandlers.ofString(UTF_8));
    }

    private static HttpRequest request(String path, String body) {
        return HttpRequest.newBuilder(URI.create(interlock.url() + path))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofMinutes(3))
                .POST(BodyPublishers.ofString(body))
                .build();
    }
}
