package dev.gitopsinterlock.it.replace;

import static dev.gitopsinterlock.testing.text.Manifests.plain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replacements under a broken, slow or busy API server, of a service that dies, and of many clients at once: the Job is
 * there afterwards, or its client has heard that it is not.
 */
class ReplaceFaultsIT {

    private static final Executor CLIENTS = Thread.ofVirtual()::start;
    private static final List<Call> STEPS =
            List.of(Call.ACCESS_REVIEW, Call.DRY_RUN, Call.DELETE, Call.CREATE, Call.GET);

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
                    .with("gitops-interlock.jobs.concurrent-effects", Integer.toString(CONCURRENT))
                    .start();
            registration.of(interlock);
        }

        @AfterAll
        static void stopService() {
            interlock.close();
        }

        static Stream<Arguments> troublesBeforeTheDeletion() {
            return Stream.of(Call.GET, Call.ACCESS_REVIEW, Call.DRY_RUN, Call.DELETE)
                    .flatMap(step -> Stream.of(
                                    Named.of("500", Fault.answer(500)),
                                    Named.of("429", Fault.answer(429)),
                                    Named.of("connection closed", Fault.close()),
                                    Named.of("no answer", Fault.hang()))
                            .map(fault -> Arguments.of(step, fault)));
        }

        @ParameterizedTest
        @MethodSource("troublesBeforeTheDeletion")
        void troubleBeforeTheDeletionLeavesTheJobAsItIs(Call step, Fault fault) {
            var uid = complete("migrate");
            api.on(step, fault);

            var answer = apply(plain("migrate", "1.1"));

            assertNotReplacedNow(answer, uid);
            assertThat(STEPS.stream().limit(4).map(api::count).toList())
                    .as("calls, none repeated")
                    .isEqualTo(
                            switch (step) {
                                case GET -> List.of(0, 0, 0, 0);
                                case ACCESS_REVIEW -> List.of(1, 0, 0, 0);
                                case DRY_RUN -> List.of(2, 1, 0, 0);
                                default -> List.of(2, 1, 1, 0);
                            });
            api.recover();
            assertReplaced(apply(plain("migrate", "1.1")), uid);
        }

        static Stream<Named<Fault>> lostAnswers() {
            return Stream.of(
                    Named.of("connection closed", Fault.passOnAndClose()),
                    Named.of("504", Fault.passOnAndAnswer(504)),
                    Named.of("no answer", Fault.passOnAndHang()));
        }

        @ParameterizedTest
        @MethodSource("lostAnswers")
        void aDeletionWhoseAnswerIsLostIsGoneOnWith(Fault fault) {
            var uid = complete("migrate");
            api.on(Call.DELETE, fault);

            assertReplaced(apply(plain("migrate", "1.1")), uid);

            assertThat(api.count(Call.DELETE)).isEqualTo(1);
        }

        @Test
        void ofADeletionThatNobodyCanTellTheOutcomeOfTheClientIsTold() {
            var uid = complete("migrate");
            api.on(Call.DELETE, Fault.passOnAndClose()).on(Call.GET, Fault.first(Fault.none(), Fault.answer(500)));

            var answer = apply(plain("migrate", "1.1"));

            assertToldThatItIsGone(answer, "the API server does not answer");
            api.recover();
            assertComesBack(uid);
        }

        static Stream<Arguments> passingTroubles() {
            return Stream.of(
                    Arguments.of(Named.of("500 twice", Fault.answer(500).times(2)), 3),
                    Arguments.of(Named.of("429", Fault.answer(429).times(1)), 2),
                    Arguments.of(Named.of("connection closed", Fault.close().times(1)), 2),
                    Arguments.of(Named.of("no answer", Fault.hang().times(1)), 2),
                    Arguments.of(
                            Named.of(
                                    "created, answer lost",
                                    Fault.passOnAndClose().times(1)),
                            2));
        }

        @ParameterizedTest
        @MethodSource("passingTroubles")
        void aCreationIsRepeatedUntilThereIsOneNewJob(Fault fault, int creations) {
            var uid = complete("migrate");
            api.on(Call.CREATE, fault);

            assertReplaced(apply(plain("migrate", "1.1")), uid);

            assertThat(api.count(Call.CREATE)).isEqualTo(creations);
        }

        @Test
        void whenTheNewJobMayNotBeCreatedItsClientIsToldWhyAndCreatesIt() {
            complete("migrate");
            api.on(Call.CREATE, Fault.answer(422));

            var answer = apply(plain("migrate", "1.1"));

            assertGone(answer, "not today");
        }

        /** The request ends, but not the creation. A quota (403) counts what was deleted a moment later. */
        @ParameterizedTest
        @ValueSource(ints = {500, 403})
        void whenTheNewJobCannotBeCreatedInTimeItIsCreatedLater(int status) {
            var uid = complete("migrate");
            api.on(Call.CREATE, Fault.answer(status));

            var answer = apply(plain("migrate", "1.1"));

            assertToldThatItIsGone(answer, "not today");
            api.recover();
            assertComesBack(uid);
        }

        /** By a machine that is put to sleep, or has no time for it. */
        @Test
        void aServiceThatStandsStillInBetweenGoesOnWhereItWas() {
            var uid = complete("migrate");
            api.on(Call.DELETE, Fault.before(interlock::standStill));

            var answer = apply(plain("migrate", "1.1"));

            assertThat(answer.exitCode()).as(answer.text()).isNotZero();
            assertThat(shop.jobs()).isEmpty();
            interlock.goOn();
            assertComesBack(uid);
        }

        static Stream<Arguments> writesOfOthers() {
            return Stream.of(
                    Arguments.of(
                            Named.of("a label", "{'metadata': {'labels': {'seen': 'yes'}}}"), "/metadata/labels/seen"),
                    Arguments.of(Named.of("suspend", "{'spec': {'suspend': true}}"), "/spec/suspend"),
                    Arguments.of(Named.of("parallelism", "{'spec': {'parallelism': 0}}"), "/spec/parallelism"));
        }

        /** Between our last look and the deletion: what another client was told is stored stays stored. */
        @ParameterizedTest
        @MethodSource("writesOfOthers")
        void whatAnotherClientWritesInThatMomentIsNotLost(String patch, String where) {
            shop.apply(runningJob("1.0"));
            shop.awaitActive("migrate");
            var uid = shop.uid("migrate");
            api.on(Call.DELETE, Fault.first(Fault.after(() -> write("migrate", patch)), Fault.none()));

            var answer = apply(runningJob("1.1"));

            assertThat(answer.exitCode()).as(answer.text()).isZero();
            assertThat(shop.uid("migrate")).isNotEqualTo(uid);
            assertThat(image()).endsWith("1.1");
            assertThat(shop.job("migrate").at(where))
                    .isEqualTo(Trees.json(patch).at(where));
        }

        /** Nothing is deleted for an edit that will not be carried out after all. */
        @Test
        void aFinalizerThatIsSetInThatMomentIsHeeded() {
            var uid = complete("migrate");
            api.on(
                    Call.DELETE,
                    Fault.first(
                            Fault.after(
                                    () -> write("migrate", "{'metadata': {'finalizers': ['example.com/archive']}}")),
                            Fault.none()));

            var answer = apply(plain("migrate", "1.1"));

            assertThat(answer.err()).contains(" ReplaceJobWithFinalizer");
            assertThat(shop.uid("migrate")).isEqualTo(uid);
            assertThat(shop.job("migrate").path("metadata").has("deletionTimestamp"))
                    .isFalse();
            write("migrate", "{'metadata': {'finalizers': null}}");
        }

        /** The Job controller writes all the time; that alone keeps no edit from being carried out. */
        @Test
        void aStatusThatMovesInThatMomentChangesNothing() {
            shop.apply(runningJob("1.0"));
            shop.awaitActive("migrate");
            var uid = shop.uid("migrate");
            api.on(
                    Call.DELETE,
                    Fault.first(
                            Fault.after(() -> shop.kubectl(
                                            "patch",
                                            "job",
                                            "migrate",
                                            "--subresource=status",
                                            "--type=merge",
                                            "-p",
                                            "{\"status\": {\"terminating\": 7}}")
                                    .orFail()),
                            Fault.none()));

            assertThat(apply(runningJob("1.1")).orFail().err()).contains("was replaced and runs again");

            assertThat(shop.uid("migrate")).isNotEqualTo(uid);
            assertThat(api.count(Call.DELETE)).isEqualTo(2);
        }

        private void write(String job, String patch) {
            shop.kubectl("patch", "job", job, "--type=merge", "-p", patch.replace('\'', '"'))
                    .orFail();
        }

        /** The Job controller would never begin the new one if it did not see the deletion. */
        @Test
        void betweenDeletingARunningJobAndCreatingItAnewThereIsAPause() {
            shop.apply(runningJob("1.0"));
            shop.awaitActive("migrate");
            var uid = shop.uid("migrate");

            apply(runningJob("1.1")).orFail();

            assertThat(api.pause()).isGreaterThanOrEqualTo(Duration.ofMillis(500));
            assertThat(shop.uid("migrate")).isNotEqualTo(uid);
            assertThat(image()).endsWith("1.1");
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
        void aJobOfAServerSideApplyIsCreatedByTheApiServerIfWeCannot() {
            shop.kubectl("apply", "--server-side", "-f", shop.file(plain("migrate", "1.0")))
                    .orFail();
            shop.awaitComplete("migrate");
            var uid = shop.uid("migrate");
            api.on(Call.CREATE, Fault.answer(403));

            var answer = shop.kubectl("apply", "--server-side", "-f", shop.file(plain("migrate", "1.1")))
                    .orFail();

            assertThat(answer.err()).contains("apply again if missing: Job migrate was deleted");
            assertThat(shop.uid("migrate")).isNotEqualTo(uid);
            assertThat(image()).endsWith("1.1");
            assertThat(shop.jobs()).containsExactly("migrate");
            shop.awaitComplete("migrate");
        }

        @Test
        void manyJobsOfOneClientAreReplacedOneAfterTheOther() {
            var before = completeJobs();

            var answer = apply(jobs("1.1"));

            assertThat(answer.exitCode()).as(answer.text()).isZero();
            assertAllReplaced(before, List.of(answer));
        }

        @Test
        void manyClientsHaveTheirJobsReplacedAFewAtATime() {
            var before = completeJobs();

            var answers = atOnce(IntStream.range(0, before.size()).mapToObj(i -> plain("job-" + i, "1.1")));

            assertThat(answers)
                    .allSatisfy(answer ->
                            assertThat(answer.exitCode()).as(answer.text()).isZero());
            assertAllReplaced(before, answers);
            assertThat(api.mostAtOnce()).isBetween(1, CONCURRENT);
        }

        private List<String> completeJobs() {
            shop.apply(jobs("1.0"));
            shop.kubectl("wait", "--for=condition=complete", "job", "--all", "--timeout=300s")
                    .orFail();
            return shop.uids();
        }

        private static String jobs(String version) {
            return String.join(
                    "---\n",
                    IntStream.range(0, 20)
                            .mapToObj(i -> plain("job-" + i, version))
                            .toList());
        }

        private void assertAllReplaced(List<String> before, List<Result> answers) {
            assertThat(String.join("", answers.stream().map(Result::err).toList())
                            .lines()
                            .filter(line -> line.contains("was replaced and runs again")))
                    .hasSameSizeAs(before);
            assertThat(shop.uids()).hasSameSizeAs(before).doesNotContainAnyElementsOf(before);
            assertThat(api.count(Call.CREATE)).isEqualTo(before.size());
            shop.kubectl("wait", "--for=condition=complete", "job", "--all", "--timeout=300s")
                    .orFail();
        }
    }

    @Nested
    class WithTwoReplicas {

        private static Interlock[] replicas;
        private static RoundRobin balancer;

        @BeforeAll
        static void startServices() {
            replicas = new Interlock[] {service().launch(), service().launch()};
            for (var replica : replicas) {
                replica.awaitReady();
            }
            balancer = RoundRobin.over(replicas);
            registration.of(balancer.url(), 10, replicas);
        }

        @AfterAll
        static void stopServices() {
            balancer.close();
            for (var replica : replicas) {
                replica.close();
            }
        }

        @RepeatedTest(10)
        void theSameEditOfTwoClientsIsCarriedOutOnce(RepetitionInfo repetition) {
            var uid = complete("migrate");
            var before = replacements();
            meet(repetition);

            var answers = atOnce(Stream.of(plain("migrate", "1.1"), plain("migrate", "1.1")));

            assertDoneOrSurprised(answers);
            assertThat(shop.uid("migrate")).isNotEqualTo(uid);
            var createdByAClient =
                    answers.stream().filter(answer -> answer.out().contains("created"));
            assertThat(replacements() - before + createdByAClient.count()).isEqualTo(1);
            assertRunsAs("1.1");
        }

        @RepeatedTest(10)
        void oneOfTwoDifferentEditsIsTheLastOne(RepetitionInfo repetition) {
            var uid = complete("migrate");
            meet(repetition);

            var answers = atOnce(Stream.of(plain("migrate", "1.1"), plain("migrate", "1.2")));

            assertDoneOrSurprised(answers);
            assertThat(shop.uid("migrate")).isNotEqualTo(uid);
            assertRunsAs(image().endsWith("1.1") ? "1.1" : "1.2");
        }

        /** As it comes; or both are about to delete at once; or one deletes when the other one has created already. */
        private static void meet(RepetitionInfo repetition) {
            switch (repetition.getCurrentRepetition() % 3) {
                case 1 -> api.on(Call.DELETE, Fault.together(2));
                case 2 -> {
                    var created = new CountDownLatch(1);
                    api.on(Call.DELETE, Fault.first(Fault.none(), Fault.heldUntil(created)))
                            .on(Call.CREATE, Fault.announce(created));
                }
                default -> {}
            }
        }

        /** By a change of the Job, or, in the moment between its deletion and its creation, by its absence. */
        private static void assertDoneOrSurprised(List<Result> answers) {
            assertThat(answers).allSatisfy(answer -> {
                if (answer.exitCode() != 0) {
                    assertThat(answer.err()).containsAnyOf("Conflict", "NotFound");
                }
            });
            assertThat(answers).anyMatch(answer -> answer.exitCode() == 0);
        }

        private static double replacements() {
            return Arrays.stream(replicas)
                    .mapToDouble(replica -> counted(
                            replica,
                            "gitops_interlock_effects_total",
                            "effect=\"replace_job\"",
                            "outcome=\"done\"",
                            "dry_run=\"false\""))
                    .sum();
        }
    }

    static Stream<Arguments> momentsOfDeath() {
        return Stream.of(
                Arguments.of(Named.of("before the creation", Fault.hang()), false),
                Arguments.of(Named.of("after the creation", Fault.passOnAndHang()), true));
    }

    @ParameterizedTest
    @MethodSource("momentsOfDeath")
    void whatAServiceThatDiesInBetweenLeavesIsFinishedByTheNext(Fault fault, boolean isCreated) {
        var uid = complete("migrate");

        var answer = interruptReplacement(uid, "1.1", fault);

        assertThat(answer.exitCode() == 0).isEqualTo(isCreated);
        try (var _ = service().start()) {
            assertComesBack(uid);
        }
    }

    /** Between two replacements that were both interrupted, the client made the Job again. */
    @Test
    void ofTwoInterruptedReplacementsTheNewerOneIsFinished() {
        var first = interruptReplacement(complete("migrate"), "1.1", Fault.hang());
        shop.apply(plain("migrate", "2.0"));
        var second = interruptReplacement(shop.uid("migrate"), "2.1", Fault.hang());
        assertThat(List.of(first.exitCode(), second.exitCode())).doesNotContain(0);

        try (var interlock = service().start()) {
            await("new Job").atMost(Patience.LIMIT).until(() -> !shop.uids().isEmpty());
            assertThat(image()).endsWith(":2.1");
            registration.of(interlock);
            assertNothingIsIntended();
            assertRunsAs("2.1");
        }
    }

    /**
     * By a service that is killed while it creates the new Job.
     *
     * @return what the client was answered
     */
    private Result interruptReplacement(String uid, String version, Fault fault) {
        try (var interlock = service().start()) {
            registration.of(interlock);
            api.on(Call.CREATE, fault);

            var client = CompletableFuture.supplyAsync(() -> apply(plain("migrate", version)), CLIENTS);
            await("new Job asked for").until(() -> api.count(Call.CREATE) == 1);
            await("old Job gone").until(() -> !shop.uids().contains(uid));
            interlock.process().destroyForcibly();
            interlock.awaitExit();

            return client.join();
        } finally {
            api.recover();
        }
    }

    @Test
    void withTooLittleTimeLeftNothingIsBegun() {
        try (var interlock = service().start()) {
            registration.of(interlock.url(), 2, interlock);
            var uid = complete("migrate");

            var answer = apply(plain("migrate", "1.1"));

            assertNotReplacedNow(answer, uid);
            assertThat(api.count(Call.DELETE)).isZero();
            registration.of(interlock);
            await("more time")
                    .untilAsserted(() ->
                            assertThat(apply(plain("migrate", "1.1")).text()).contains("replaced"));
        }
    }

    @Test
    void aJobThatDoesNotBeginIsNudgedAFewTimes() {
        try (var interlock = service()
                .with("gitops-interlock.jobs.after-care-interval", "1s")
                .start()) {
            registration.of(interlock);
            complete("migrate");
            var isRunning = new CountDownLatch(1);
            api.on(Call.GET, Fault.first(Fault.none(), Fault.heldUntil(isRunning)));
            apply(plain("migrate", "1.1")).orFail();
            shop.awaitComplete("migrate");
            isRunning.countDown();
            await("looked at, before and after").until(() -> api.count(Call.GET) == 2);

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

            assertThat(counted(interlock, "gitops_interlock_nudges_total")).isEqualTo(6);
            assertThat(api.count(Call.NUDGE)).isEqualTo(6);
            assertThat(nudges("stuck")).isEqualTo("6");
            assertThat(nudges("migrate")).isEmpty();
        }
    }

    private static Interlock.Builder service() {
        return api.behind(Interlock.serving(controlPlane.webhookCertificates()))
                .with("gitops-interlock.jobs.carry-out-as", "ServiceAccount")
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
    private void assertGone(Result answer, String why) {
        assertToldThatItIsGone(answer, why);
        assertThat(shop.jobs()).isEmpty();
        api.recover();
        assertThat(apply(plain("migrate", "1.1")).orFail().out()).contains("created");
        assertRunsAs("1.1");
    }

    private static void assertToldThatItIsGone(Result answer, String why) {
        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err())
                .contains("Warning: apply again if missing: Job migrate was deleted, not recreated (" + why)
                .contains("NotFound");
    }

    /** The edit is carried out although its client was told otherwise, and nothing is left of how. */
    private void assertComesBack(String oldUid) {
        await("new Job").atMost(Patience.LIMIT).until(() -> !shop.uids().isEmpty());
        assertThat(shop.uid("migrate")).isNotEqualTo(oldUid);
        assertRunsAs("1.1");
        assertNothingIsIntended();
    }

    private static void assertNothingIsIntended() {
        await("intents gone")
                .atMost(Patience.LIMIT)
                .until(() -> controlPlane
                        .kubectl(
                                "-n",
                                "gitops-interlock",
                                "get",
                                "secrets",
                                "-l",
                                "gitops-interlock.dev/intent",
                                "-o",
                                "name")
                        .orFail()
                        .out()
                        .isEmpty());
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

    private String nudges(String job) {
        return shop.job(job)
                .path("metadata")
                .path("annotations")
                .path("gitops-interlock.dev/nudged")
                .asText();
    }

    /** Of all series of the counter with these labels. */
    private static double counted(Interlock interlock, String counter, String... labels) {
        return interlock
                .metrics()
                .lines()
                .filter(line ->
                        line.startsWith(counter) && Arrays.stream(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
