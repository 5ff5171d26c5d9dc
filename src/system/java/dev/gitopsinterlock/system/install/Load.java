package dev.gitopsinterlock.system.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.service.Tls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Edits of one Job, as dry runs, {@code install.rate} a second as long as the machine keeps up with it, each of which has to
 * come back with our words: an answer of plain Kubernetes is a review that failed. The API server asks about each of them
 * once. Few with every build, 200 a second with {@code make test-install RATE=200}.
 */
final class Load implements AutoCloseable {

    private static final long A_SECOND = 1_000_000_000L;
    private static final long BETWEEN = A_SECOND / Integer.getInteger("install.rate", 40);
    private static final int AT_A_TIME = 40;

    /** By then what is asked has been compiled, in the API server's clients and in the Pods. */
    private static final int WARM = 300;

    private final HttpClient http =
            HttpClient.newBuilder().sslContext(Tls.context()).build();
    private final Semaphore room = new Semaphore(AT_A_TIME);
    private final HttpRequest edit;
    private final AtomicInteger answered = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean going = true;
    private volatile Instant warm = Instant.now();

    private Load(HttpRequest edit) {
        this.edit = edit;
    }

    /** Begins, and returns when it is up to speed. */
    static Load on(ControlPlane kubernetes, String namespace, String job) {
        kubernetes.kubeconfig("load", "client"); // which gives it its rights
        var load = new Load(HttpRequest.newBuilder(URI.create("%s/apis/batch/v1/namespaces/%s/jobs/%s?dryRun=All"
                        .formatted(kubernetes.server(), namespace, job)))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + kubernetes.token("load", "client"))
                .header("Content-Type", "application/strategic-merge-patch+json")
                .method("PATCH", BodyPublishers.ofString("""
                        {"spec": {"template": {"spec": {"containers":
                          [{"name": "migrate", "image": "registry.example/migrate:1.1"}]}}}}
                        """))
                .build());
        Thread.startVirtualThread(load::keepGoing);
        await("warm").atMost(Duration.ofMinutes(2)).until(() -> load.answered() >= WARM);
        load.warm = Instant.now();
        return load;
    }

    /** By the clock: what comes late because a thread slept too long is made up for, up to five seconds' worth. */
    private void keepGoing() {
        for (long due = System.nanoTime(); going; due = Math.max(due + BETWEEN, System.nanoTime() - 5 * A_SECOND)) {
            while (due > System.nanoTime()) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            room.acquireUninterruptibly(); // where the machine is slower; the rate says so
            Thread.startVirtualThread(this::send);
        }
    }

    private void send() {
        try {
            var response = http.send(edit, BodyHandlers.ofString(UTF_8));
            if (response.statusCode() != 422 || !response.body().contains("JobEdit\"")) {
                failures.add(Instant.now() + " " + response.statusCode() + " " + response.body());
            }
        } catch (IOException e) {
            failures.add(Instant.now() + " " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            answered.incrementAndGet();
            room.release();
        }
    }

    /** Waits for enough of them to see connections that are made anew. */
    void awaitMore() {
        int before = answered();
        await("more edits").atMost(Duration.ofMinutes(2)).until(() -> answered() > before + 100);
    }

    int answered() {
        return answered.get();
    }

    /** Of those that are answered. */
    Queue<String> failures() {
        return failures;
    }

    /** Ends it, waits for the answers that are still out, of which the last ones took longest, and says what has failed. */
    Queue<String> end() {
        if (going) {
            going = false;
            room.acquireUninterruptibly(AT_A_TIME);
        }
        return failures;
    }

    /** For people. */
    String words() {
        int edits = answered() - WARM;
        var seconds = Duration.between(warm, Instant.now()).toMillis() / 1000.0;
        return String.format(
                Locale.ROOT,
                "%d edits in %.0f s, %.0f a second, %d failed",
                edits,
                seconds,
                edits / seconds,
                failures.size());
    }

    @Override
    public void close() {
        end();
        http.close();
    }
}
