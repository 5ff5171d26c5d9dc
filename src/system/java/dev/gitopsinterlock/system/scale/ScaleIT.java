package dev.gitopsinterlock.system.scale;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.RoundRobin;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What the service costs as a cluster grows, and that it does what it should there, too. A few objects with every
 * build, thousands with {@code make scale}, which measures; both write {@code target/scale/results.md}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ScaleIT {

    private static final int[] SIZES = numbers("scale.sizes", "20");
    private static final int[] AT_A_TIME = numbers("scale.at-once", "3");
    private static final int EDITS = Integer.getInteger("scale.edits", 6);
    private static final int REVIEWS = Integer.getInteger("scale.reviews", 20);
    private static final int CHANGES = Integer.getInteger("scale.changes", 10);
    private static final int NODES = Integer.getInteger("scale.nodes", 50);
    private static final int[] REPLICAS = numbers("scale.replicas", "2");
    private static final Duration IDLE = Duration.parse(System.getProperty("scale.idle", "PT1S"));
    private static final Duration MAX_HOLD = Duration.ofSeconds(60);
    private static final Duration SLACK = Duration.ofSeconds(30);
    private static final boolean RELIST = Boolean.getBoolean("scale.relist");
    private static final int BYTES = 40_000;

    private static final String APPLICATIONS = "/apis/argoproj.io/v1alpha1/namespaces/argocd/applications";
    private static final String WEBHOOK = "apiserver_admission_webhook_admission_duration_seconds";
    private static final String REQUEST = "apiserver_request_duration_seconds";

    private final StringBuilder report = new StringBuilder();
    private ControlPlane controlPlane;
    private Api api;

    @BeforeAll
    void start() {
        controlPlane = ControlPlane.startToBeKilled();
        controlPlane.addDefinitionsOf("openshift");
        controlPlane.addDefinitionsOf("argocd");
        api = new Api(controlPlane);
        var system = ManagementFactory.getOperatingSystemMXBean();
        say(String.format(
                Locale.ROOT,
                "Kubernetes %s, %d cores, load average before: %.1f%n",
                controlPlane.version(),
                system.getAvailableProcessors(),
                system.getSystemLoadAverage()));
    }

    @AfterAll
    void end() throws IOException {
        controlPlane.close();
        var target = Files.createDirectories(Project.directory().resolve("target/scale"));
        Files.writeString(target.resolve("results.md"), report);
    }

    @Test
    @Order(1)
    void everyEditOfManyTakesEffectOnce() {
        var registration = Registration.in(controlPlane);
        try (var interlock = service().start()) {
            registration.of(interlock);
            var edits = new Edits(controlPlane, api, "scale-edits", EDITS);
            var table = new Table(
                    "at a time",
                    "errors",
                    "p50 ms",
                    "p99 ms",
                    "edits/s",
                    "API server: request p50 ms",
                    "p99 ms",
                    "webhook p50 ms",
                    "p99 ms",
                    "CPU ms an edit");
            for (var atATime : AT_A_TIME) {
                var before = api.metrics();
                var cpu = Usage.of(interlock.process()).cpuSeconds();
                var round = edits.edit(atATime);
                var used = Usage.of(interlock.process()).cpuSeconds() - cpu;
                var counted = api.metrics().since(before);
                awaitEffects(edits, round);
                String[] request = {"resource=\"jobs\"", "verb=\"PATCH\"", "subresource=\"\"", "dry_run=\"\""};
                var webhook = "name=\"jobs.gitops-interlock.dev\",operation=\"UPDATE\"";
                table.row(
                        atATime,
                        round.errors().size(),
                        round.milliseconds(50),
                        round.milliseconds(99),
                        EDITS * 1000.0 / round.took().toMillis(),
                        counted.quantile(0.5, REQUEST, request) * 1000,
                        counted.quantile(0.99, REQUEST, request) * 1000,
                        counted.quantile(0.5, WEBHOOK, webhook) * 1000,
                        counted.quantile(0.99, WEBHOOK, webhook) * 1000,
                        used * 1000 / EDITS);
            }
            assertThat(edits.faults()).isEmpty();
            say("%d edits of finished Jobs under `Replace`%n%n%s".formatted(EDITS, table));
        }
    }

    /** With syncs that begin and end all the time. That none begins within a sync is what {@code RolloutIT} shows. */
    @Test
    @Order(2)
    void everyNodeOfALargePoolGetsThrough() {
        var registration = Registration.in(controlPlane);
        var applications = Applications.in(controlPlane, "argocd");
        applications.create("flapping");
        try (var interlock = service()
                .with("gitops-interlock.machine-configs.max-hold", MAX_HOLD.toString())
                .start()) {
            registration.of(interlock);
            var cluster = OpenShiftCluster.of(controlPlane, interlock, applications);
            cluster.rendered(NodeWave.OLD);
            cluster.rendered(NodeWave.NEW);
            cluster.pool("worker", NodeWave.NEW, "{}");
            var nodes = new NodeWave(controlPlane, api, NODES);
            var counted = api.metrics();
            var reviews = cluster.reviews("validate-nodes", "");
            var before = Usage.of(interlock.process()).cpuSeconds();
            NodeWave.Seen seen;
            try (var syncs = new FlappingSyncs(applications, "flapping")) {
                cluster.awaitCounted(1);
                seen = nodes.sendAll(MAX_HOLD.plus(Patience.LIMIT));
                say("a sync began %d times".formatted(syncs.begun()));
            }
            var usage = Usage.of(interlock.process());
            var sent = seen.moved() + seen.held();
            assertThat(seen.others()).isEmpty();
            assertThat(seen.moved()).isEqualTo(NODES);
            assertThat(seen.held()).isPositive();
            assertThat(seen.longestHold()).isLessThan(MAX_HOLD.plus(SLACK));
            assertThat(cluster.reviews("validate-nodes", "") - reviews)
                    .as("reviews answered")
                    .isEqualTo(sent);
            assertThat(api.metrics().since(counted).sum("apiserver_admission_webhook_fail_open_count"))
                    .isZero();
            var table = new Table(
                    "Nodes", "s until all moved", "reviews", "held", "longest hold, s", "CPU ms a review", "peak MiB");
            table.row(
                    NODES,
                    seen.took().toMillis() / 1000.0,
                    sent,
                    seen.held(),
                    seen.longestHold().toMillis() / 1000.0,
                    (usage.cpuSeconds() - before) * 1000 / sent,
                    usage.peakMebibytes());
            say("Nodes of one pool, while a sync begins and ends all the time%n%n%s".formatted(table));
        }
        api.delete("/api/v1/nodes?labelSelector=node-role.kubernetes.io/worker").orFail();
    }

    /** That a Job survives a replica's end is what {@code ReplaceFaultsIT} shows, and {@code InterruptionsIT}. */
    @Test
    @Order(3)
    void replicasCarryEachEditOutOnceBetweenThem() {
        var registration = Registration.in(controlPlane);
        var table = new Table(
                "replicas",
                "idle CPU ms a second, each",
                "resident MiB, each",
                "watches, each",
                "errors",
                "p50 ms",
                "p99 ms",
                "CPU ms an edit, all");
        for (var count : REPLICAS) {
            var before = watches();
            try (var replicas = new Replicas(count, service());
                    var balancer = RoundRobin.over(replicas.all())) {
                var watches = watches() - before;
                var cpu = replicas.cpuSeconds();
                await("idle for a while")
                        .pollDelay(IDLE)
                        .atMost(IDLE.multipliedBy(2))
                        .until(() -> true);
                var idle = replicas.cpuSeconds() - cpu;
                var resident = replicas.residentMebibytes();
                registration.of(balancer.url(), 10, replicas.all());
                var edits = new Edits(controlPlane, api, "scale-replicas-" + count, EDITS);
                cpu = replicas.cpuSeconds();
                var round = edits.edit(10);
                cpu = replicas.cpuSeconds() - cpu;
                awaitEffects(edits, round);
                assertThat(edits.faults()).isEmpty();
                table.row(
                        count,
                        idle * 1000 / IDLE.toSeconds() / count,
                        resident / count,
                        watches / count,
                        round.errors().size(),
                        round.milliseconds(50),
                        round.milliseconds(99),
                        cpu * 1000 / EDITS);
            }
        }
        say("Replicas, and %d edits under `Replace`, 10 at a time%n%n%s".formatted(EDITS, table));
    }

    @Test
    @Order(4)
    void aSyncAmongManyApplicationsHoldsANode() {
        var registration = Registration.in(controlPlane);
        var applications = Applications.in(controlPlane, "argocd");
        var body = applicationBody();
        var table = new Table(
                "Applications",
                "s until ready",
                "CPU s until ready",
                "resident MiB",
                "peak MiB",
                "heap after collection MB",
                "CPU s for 100 changes",
                "relist: CPU s",
                "relist: peak MiB",
                "API server, resident MiB");
        var made = 0;
        for (var size : SIZES) {
            api.createAll(APPLICATIONS, made, size, body::formatted);
            made = size;
            var started = System.nanoTime();
            try (var interlock = service().start()) {
                var seconds = (System.nanoTime() - started) / 1e9;
                var idle = Usage.of(interlock.process());
                var apiServer = Usage.of(controlPlane.apiServer()).residentMebibytes();
                var heap = interlock.heapAfterCollection();
                var changes = cpuOfChanges(interlock, applications, size);
                var before = Usage.of(interlock.process()).cpuSeconds();
                if (RELIST) {
                    listAgain(interlock);
                }
                awaitSync(interlock, applications, size - 1);
                var relisted = Usage.of(interlock.process());
                table.row(
                        size,
                        seconds,
                        idle.cpuSeconds(),
                        idle.residentMebibytes(),
                        idle.peakMebibytes(),
                        heap,
                        changes,
                        relisted.cpuSeconds() - before,
                        relisted.peakMebibytes(),
                        apiServer);
                if (size == SIZES[SIZES.length - 1]) {
                    registration.of(interlock);
                    assertHeldDuringASync(OpenShiftCluster.of(controlPlane, interlock, applications));
                }
            }
        }
        say("Applications of %d kB%n%n%s".formatted(BYTES / 1000, table));
        api.deleteAll(APPLICATIONS, made, "app-%d"::formatted);
    }

    @Test
    @Order(5)
    void policiesOfAllNamespacesAreKnown() {
        Registration.in(controlPlane);
        var table = new Table(
                "Namespaces",
                "s until ready",
                "CPU s until ready",
                "resident MiB",
                "peak MiB",
                "heap after collection MB",
                "CPU s for 1,000 reviews");
        var made = 0;
        for (var size : SIZES) {
            api.createAll("/api/v1/namespaces", made, size, """
                    {"metadata": {"name": "team-%d", "annotations": {
                      "gitops-interlock.dev/on-immutable-change": "Reject", "example.com/owner": "somebody"}}}
                    """::formatted);
            made = size;
            var started = System.nanoTime();
            // nothing but Namespaces is watched, and a Namespace that is not known shows
            try (var interlock = service()
                    .with("gitops-interlock.machine-configs.sync-hold", "Disabled")
                    .with("gitops-interlock.jobs.on-immutable-change", "Ignore")
                    .with("gitops-interlock.events.refused-edits", "false")
                    .start()) {
                var seconds = (System.nanoTime() - started) / 1e9;
                var idle = Usage.of(interlock.process());
                assertThat(isAllowed(interlock, "nobody")).isTrue();
                for (int number = 0; number < size; number += Math.max(1, size / REVIEWS)) {
                    assertThat(isAllowed(interlock, "team-" + number))
                            .as("team-%d", number)
                            .isFalse();
                }
                var before = Usage.of(interlock.process()).cpuSeconds();
                for (int i = 0; i < REVIEWS; i++) {
                    isAllowed(interlock, "team-" + i * 7919L % size);
                }
                var reviews = Usage.of(interlock.process()).cpuSeconds() - before;
                table.row(
                        size,
                        seconds,
                        idle.cpuSeconds(),
                        idle.residentMebibytes(),
                        idle.peakMebibytes(),
                        interlock.heapAfterCollection(),
                        reviews * 1000 / REVIEWS);
            }
        }
        say("Namespaces with a policy%n%n%s".formatted(table));
    }

    /** An edit that was refused had no turn, nothing else, and was sent again. */
    private static void awaitEffects(Edits edits, Edits.Round round) {
        assertThat(round.errors()).allMatch(error -> error.contains("NotReplacedNow"));
        edits.awaitFinished();
    }

    /** That the API server has open. */
    private double watches() {
        return api.metrics().sum("apiserver_longrunning_requests", "verb=\"WATCH\"");
    }

    /** While a sync of one Application runs, and not afterwards. */
    private static void assertHeldDuringASync(OpenShiftCluster cluster) {
        cluster.rendered(NodeWave.OLD);
        cluster.rendered(NodeWave.NEW);
        cluster.pool("worker", NodeWave.NEW, "{}");
        cluster.node("worker-1", NodeWave.OLD, "worker");
        cluster.applications().startSync("app-1");
        cluster.awaitHeld("worker-1", NodeWave.NEW);
        cluster.applications().endSync("app-1");
        cluster.awaitOpen("worker-1", NodeWave.NEW);
    }

    /** Has the API server forget where watches were, and the service what its peak was. */
    private void listAgain(Interlock interlock) {
        Usage.forgetPeak(interlock.process());
        controlPlane.killApiServer();
        await("the API server is back")
                .atMost(Patience.LIMIT)
                .until(() -> api.get("/readyz").isSuccess());
    }

    /** CPU seconds for a hundred, as the watch sees them. */
    private double cpuOfChanges(Interlock interlock, Applications applications, int size) {
        awaitSync(interlock, applications, 0); // what is done for the first time is not counted
        var before = Usage.of(interlock.process()).cpuSeconds();
        for (int i = 0; i < CHANGES; i++) {
            api.merge(
                            APPLICATIONS + "/app-" + i % size,
                            "{\"status\": {\"reconciledAt\": \"2026-01-01T00:%02d:%02dZ\"}}".formatted(i / 60, i % 60))
                    .orFail();
        }
        awaitSync(interlock, applications, 0);
        return (Usage.of(interlock.process()).cpuSeconds() - before) * 100 / CHANGES;
    }

    /** Waits until the service has learnt of one that begins now, and then that it has ended. */
    private static void awaitSync(Interlock interlock, Applications applications, int number) {
        applications.startSync("app-" + number);
        awaitSyncs(interlock, 1);
        applications.endSync("app-" + number);
        awaitSyncs(interlock, 0);
    }

    private static void awaitSyncs(Interlock interlock, int count) {
        await(count + " syncs known")
                .atMost(Patience.LIMIT)
                .until(() -> interlock.metrics().contains("gitops_interlock_syncs_running " + count + ".0"));
    }

    private static boolean isAllowed(Interlock interlock, String namespace) {
        var given = ReviewCase.named("argoCdAppliesChangedImage");
        var review = given.review();
        review.withObject("/request").put("namespace", namespace);
        for (var object : List.of("object", "oldObject")) {
            review.withObject("/request/" + object + "/metadata").put("namespace", namespace);
        }
        var answer = interlock.ask(given.path() + "/" + Interlock.TOKEN, review);
        return Trees.json(answer.body().getBytes(UTF_8))
                .at("/response/allowed")
                .require()
                .asBoolean();
    }

    private static String applicationBody() {
        return """
                {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "app-%%d"},
                 "spec": {"project": "default", "source": {"repoURL": "https://git.example/app.git", "path": "."},
                   "destination": {"server": "https://kubernetes.default.svc", "namespace": "default"}},
                 "status": {"resources": [%s]}}
                """.formatted(Applications.resources(BYTES));
    }

    private Interlock.Builder service() {
        return Interlock.serving(controlPlane.webhookCertificates()).watching(controlPlane);
    }

    private void say(String text) {
        System.out.println(text);
        report.append(text).append('\n');
    }

    private static int[] numbers(String property, String small) {
        return Arrays.stream(System.getProperty(property, small).split(","))
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
