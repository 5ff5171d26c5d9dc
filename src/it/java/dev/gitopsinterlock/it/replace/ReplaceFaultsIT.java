package dev.gitopsinterlock.it.replace;

import static dev.gitopsinterlock.testing.text.Manifests.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.FaultyApiServer;
import dev.gitopsinterlock.testing.cluster.FaultyApiServer.Call;
import dev.gitopsinterlock.testing.cluster.FaultyApiServer.Fault;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Command.Result;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.RoundRobin;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Replacements under a broken, slow or busy API server, of a service that dies, and of many clients at once: the Job is
 * there afterwards, or its client has heard that it is not. One story for each mechanism; every step and every fault is in
 * JobEffectsTest and RecoveryTest.
 */
class ReplaceFaultsIT {

    private static final Executor CLIENTS = Thread.ofVirtual()::start;

    private static ControlPlane controlPlane;
    private static Registration registration;
    private static FaultyApiServer api;

    private Workspace shop;

    @BeforeAll
    static void startControlPlane() {
        controlPlane = ControlPlane.start();
        // the longer way; in the name of the requester nothing asks for rights
        registration = Registration.withRights(controlPlane, "rbac-service-account");
        api = FaultyApiServer.before(controlPlane);
    }

    @AfterAll
    static void stopControlPlane() {
        api.close();
        controlPlane.close();
    }

    @BeforeEach
    void makeWorkspace() {
        shop = Workspace.in(controlPlane, "faults");
    }

    @AfterEach
    void recover() {
        api.recover();
    }

    @Nested
    class WithOneReplica {

        private static final int CONCURRENT = 3;

        private static Interlock interlock;

        @BeforeAll
        static void startService() {
            interlock = service()
                    .with("gitops-interlock.replacement.concurrent", Integer.toString(CONCURRENT))
                    .with("gitops-interlock.replacement.start-check-interval", "1s")
                    .start();
            registration.of(interlock);
        }

        @AfterAll
        static void stopService() {
            interlock.close();
        }

        @Test
        void anApiServerThatDoesNotAnswerBeforeTheDeletionLeavesTheJobAsItIs() {
            var uid = complete("migrate");
            api.on(Call.DRY_RUN, Fault.hang());

            var answer = apply(plain("migrate", "1.1"));

            assertNotReplacedNow(answer, uid);
            api.recover();
            assertReplaced(apply(plain("migrate", "1.1")), uid);
        }

        @Test
        void withTooLittleTimeLeftNothingIsBegun() {
            var uid = complete("migrate");
            registration.of(interlock.url(), 2, interlock);

            var answer = apply(plain("migrate", "1.1"));

            registration.of(interlock);
            assertNotReplacedNow(answer, uid);
            assertThat(api.count(Call.DELETE)).isZero();
        }

        @Test
        void aDeletionAndACreationWhoseAnswersAreLostAreGoneOnWith() {
            var uid = complete("migrate");
            api.on(Call.DELETE, Fault.passOnAndClose())
                    .on(Call.CREATE, Fault.passOnAndClose().times(1));

            assertReplaced(apply(plain("migrate", "1.1")), uid);

            assertThat(api.count(Call.DELETE)).isEqualTo(1);
            assertThat(api.count(Call.CREATE)).isEqualTo(2);
        }

        @Test
        void whenTheNewJobMayNotBeCreatedItsClientIsToldWhyAndCreatesIt() {
            complete("migrate");
            api.on(Call.CREATE, Fault.answer(422));

            var answer = apply(plain("migrate", "1.1"));

            assertGone(answer);
        }

        @Test
        void aJobOfAServerSideApplyIsCreatedByTheApiServerIfWeCannot() {
            shop.kubectl("apply", "--server-side", "-f", shop.file(plain("migrate", "1.0")))
                    .orFail();
            shop.awaitComplete("migrate");
            var uid = shop.uid("migrate");
            api.on(Call.CREATE, Fault.answer(422));

            var answer = shop.kubectl("apply", "--server-side", "-f", shop.file(plain("migrate", "1.1")))
                    .orFail();

            assertThat(answer.err()).contains("apply again if missing: Job migrate was deleted");
            assertThat(shop.uid("migrate")).isNotEqualTo(uid);
            assertThat(image()).endsWith("1.1");
            assertThat(shop.jobs()).containsExactly("migrate");
            shop.awaitComplete("migrate");
        }

        /**
         * Between our last look and the deletion: what another client was told is stored stays stored. Between the deletion
         * and the creation there is a pause: the Job controller would never begin the new Job if it did not see the former.
         */
        @Test
        void whatAnotherClientWritesIsNotLostAndTheNewJobBegins() {
            shop.apply(runningJob("1.0"));
            shop.awaitActive("migrate");
            var uid = shop.uid("migrate");
            api.on(
                    Call.DELETE,
                    Fault.first(
                            Fault.after(() -> shop.kubectl("label", "job", "migrate", "seen=yes")
                                    .orFail()),
                            Fault.none()));

            var answer = apply(runningJob("1.1"));

            assertThat(answer.exitCode()).as(answer.text()).isZero();
            assertThat(shop.uid("migrate")).isNotEqualTo(uid);
            assertThat(image()).endsWith("1.1");
            assertThat(shop.job("migrate").at("/metadata/labels/seen").asText()).isEqualTo("yes");
            assertThat(api.pause()).isGreaterThanOrEqualTo(Duration.ofMillis(500));
            shop.awaitActive("migrate");
        }

        private static String runningJob(String version) {
            return plain("migrate", version).replace("  template:\n", """
                      template:
                        metadata:
                          labels: {testbed.gitops-interlock.dev/outcome: run}
                    """);
        }

        @Test
        void manyClientsHaveTheirJobsReplacedAFewAtATime() {
            shop.apply(String.join("---\n", jobs("1.0").toList()));
            awaitAllComplete();
            var before = shop.uids();

            var answers = atOnce(jobs("1.1"));

            assertThat(answers).allSatisfy(answer -> {
                assertThat(answer.exitCode()).as(answer.text()).isZero();
                assertThat(answer.err()).contains("was replaced and runs again");
            });
            assertThat(shop.uids()).hasSameSizeAs(before).doesNotContainAnyElementsOf(before);
            assertThat(api.count(Call.CREATE)).isEqualTo(before.size());
            assertThat(api.mostAtOnce()).isBetween(1, CONCURRENT);
            awaitAllComplete();
        }

        private static Stream<String> jobs(String version) {
            return IntStream.range(0, 2 * CONCURRENT + 1).mapToObj(i -> plain("job-" + i, version));
        }

        private void awaitAllComplete() {
            shop.kubectl("wait", "--for=condition=complete", "job", "--all", "--timeout=300s")
                    .orFail();
        }

        @Test
        void aJobThatDoesNotBeginIsRetriggeredAFewTimes() {
            complete("stuck");
            shop.kubectl("create", "quota", "none", "--hard=pods=0").orFail();
            await("quota in effect")
                    .until(() -> shop.kubectl("get", "quota", "none", "-o", "jsonpath={.status.hard}")
                            .out()
                            .contains("pods"));

            apply(plain("stuck", "1.1")).orFail();

            await("given up")
                    .atMost(Patience.LIMIT)
                    .until(() -> interlock.log().contains(shop.namespace() + "/stuck has not begun to run"));
            assertThat(shop.job("stuck")
                            .at("/metadata/annotations/gitops-interlock.dev~1retriggered")
                            .asText())
                    .isEqualTo("6");
        }
    }

    /** Both are about to delete it at once; by a change of the Job, or by its absence, the second one finds out. */
    @Test
    void theSameEditOfTwoClientsTakesEffectOnceWithTwoReplicas() {
        var replicas = new Interlock[] {service().launch(), service().launch()};
        try (var one = replicas[0];
                var other = replicas[1];
                var balancer = RoundRobin.over(replicas)) {
            one.awaitReady();
            other.awaitReady();
            registration.of(balancer.url(), 10, replicas);
            var uid = complete("migrate");
            api.on(Call.DELETE, Fault.together(2));

            var answers = atOnce(Stream.of(plain("migrate", "1.1"), plain("migrate", "1.1")));

            assertThat(answers).anyMatch(answer -> answer.exitCode() == 0).allSatisfy(answer -> {
                if (answer.exitCode() != 0) {
                    assertThat(answer.err()).containsAnyOf("Conflict", "NotFound");
                }
            });
            assertThat(shop.uid("migrate")).isNotEqualTo(uid);
            var createdByAClient =
                    answers.stream().filter(answer -> answer.out().contains("created"));
            assertThat(replacements(one) + replacements(other) + createdByAClient.count())
                    .isEqualTo(1);
            assertRunsAs("1.1");
        }
    }

    @Test
    void whatAServiceThatDiesInBetweenLeavesIsFinishedByTheNext() {
        var uid = complete("migrate");
        killBeforeTheCreation();

        try (var _ = service().start()) {
            assertComesBack(uid);
        }
    }

    /** What it left for the Namespace that was, and a copy of that under another name. */
    @Test
    void inANamespaceThatWasMadeAnewNothingIsFinished() {
        complete("migrate");
        killBeforeTheCreation();
        var copy = (ObjectNode) Trees.json(inOurNamespace("get", intents(), "-o", "json"));
        copy.putObject("metadata").put("name", "copy").putObject("labels").put("gitops-interlock.dev/intent", "copy");
        inOurNamespace("create", "-f", shop.file(copy.toString()));
        controlPlane.kubectl("delete", "namespace", shop.namespace()).orFail();
        controlPlane.kubectl("create", "namespace", shop.namespace()).orFail();

        try (var interlock = service().start()) {
            await("given up")
                    .atMost(Patience.LIMIT)
                    .until(() -> interlock.log().contains("its Namespace is not the one that it was in"));
            assertThat(interlock.log()).containsOnlyOnce("not carried out: intent=copy");
        }
        assertThat(shop.jobs()).isEmpty();
        assertThat(intents()).isEqualTo("secret/copy");
        inOurNamespace("delete", "secret", "copy");
    }

    private void killBeforeTheCreation() {
        try (var interlock = service().start()) {
            registration.of(interlock);
            api.on(Call.CREATE, Fault.hang());
            var client = CompletableFuture.supplyAsync(() -> apply(plain("migrate", "1.1")), CLIENTS);
            await("new Job asked for").until(() -> api.count(Call.CREATE) == 1);
            interlock.process().destroyForcibly();
            interlock.awaitExit();
            assertThat(client.join().exitCode()).isNotZero();
        }
        assertThat(shop.uids()).isEmpty();
        api.recover();
    }

    private static Interlock.Builder service() {
        return api.behind(Interlock.serving(controlPlane.webhookCertificates()))
                .with("gitops-interlock.replacement.as", "ServiceAccount")
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .with("gitops-interlock.jobs.on-immutable-change", "Replace")
                .with("gitops-interlock.jobs.when-active", "Replace");
    }

    /** Its uid. */
    private String complete(String name) {
        shop.apply(plain(name, "1.0"));
        shop.awaitComplete(name);
        return shop.uid(name);
    }

    private Result apply(String manifest) {
        return shop.kubectl("apply", "-f", shop.file(manifest));
    }

    private List<Result> atOnce(Stream<String> manifests) {
        return manifests
                .map(manifest -> CompletableFuture.supplyAsync(() -> apply(manifest), CLIENTS))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private void assertNotReplacedNow(Result answer, String uid) {
        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err())
                .contains("could not be replaced now, nothing was changed")
                .contains(" NotReplacedNow");
        assertThat(shop.jobs()).containsExactly("migrate");
        assertThat(shop.uid("migrate")).isEqualTo(uid);
        assertThat(image()).endsWith(":1.0");
    }

    private void assertReplaced(Result answer, String uid) {
        assertThat(answer.exitCode()).as(answer.text()).isZero();
        assertThat(answer.err()).contains("Warning: Job migrate was replaced and runs again");
        assertThat(shop.uid("migrate")).isNotEqualTo(uid);
        assertRunsAs("1.1");
    }

    /**
     * The client was told, and does what it was told to do. (The API server looks for the Job once more and says that
     * there is none, in place of our denial; our warning comes through.)
     */
    private void assertGone(Result answer) {
        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err())
                .contains("Warning: apply again if missing: Job migrate was deleted, not recreated (not today")
                .contains("NotFound");
        assertThat(shop.jobs()).isEmpty();
        api.recover();
        assertThat(apply(plain("migrate", "1.1")).orFail().out()).contains("created");
        assertRunsAs("1.1");
    }

    /** The edit is carried out although its client was told otherwise, and nothing is left of how. */
    private void assertComesBack(String oldUid) {
        await("new Job").atMost(Patience.LIMIT).until(() -> !shop.uids().isEmpty());
        assertThat(shop.uid("migrate")).isNotEqualTo(oldUid);
        assertRunsAs("1.1");
        await("intents gone").atMost(Patience.LIMIT).until(() -> intents().isEmpty());
    }

    /** Their names. */
    private static String intents() {
        return inOurNamespace("get", "secrets", "-l", "gitops-interlock.dev/intent", "-o", "name")
                .strip();
    }

    private static String inOurNamespace(String... arguments) {
        return controlPlane
                .kubectl(Stream.concat(Stream.of("-n", "gitops-interlock"), Stream.of(arguments))
                        .toArray(String[]::new))
                .orFail()
                .out();
    }

    /** There is this Job and no other, it is what the client applied, and all of it. */
    private void assertRunsAs(String version) {
        assertThat(shop.jobs()).containsExactly("migrate");
        assertThat(image()).endsWith(":" + version);
        shop.awaitComplete("migrate");
        assertThat(apply(plain("migrate", version)).orFail().text()).isEqualTo("job.batch/migrate unchanged\n");
        await("old Pods gone")
                .untilAsserted(() -> assertThat(shop.kubectl(
                                        "get", "pods", "-o", "jsonpath={.items[*].metadata.ownerReferences[0].uid}")
                                .orFail()
                                .out())
                        .isEqualTo(shop.uid("migrate")));
    }

    private String image() {
        return shop.job("migrate").at("/spec/template/spec/containers/0/image").asText();
    }

    private static double replacements(Interlock replica) {
        var labels = List.of("effect=\"replace_job\"", "outcome=\"done\"", "dry_run=\"false\"");
        return replica.metrics()
                .lines()
                .filter(line -> line.startsWith("gitops_interlock_effects_total")
                        && labels.stream().allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
