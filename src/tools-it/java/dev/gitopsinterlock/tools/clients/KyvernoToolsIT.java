package dev.gitopsinterlock.tools.clients;

import static dev.gitopsinterlock.testing.client.JobRelease.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.it.replace.OthersWebhooksIT;
import dev.gitopsinterlock.testing.bed.AuditLog.Change;
import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.client.JobRelease;
import dev.gitopsinterlock.testing.client.JobRelease.ArgoCdMode;
import dev.gitopsinterlock.testing.client.Kyverno;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command.Result;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.tools.scenario.Stories;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replacements of Jobs that a real Kyverno changes or refuses. Its build takes ten minutes and more, so {@code make
 * test-kyverno} alone runs this class; {@link OthersWebhooksIT} is what every run has.
 */
@ExtendWith(Stories.class)
@RequiresTools(value = "kyverno", definitions = "kyverno")
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KyvernoToolsIT {

    private static final String REPLACED = "/metadata/annotations/gitops-interlock.dev~1replaced";
    private static final String WORDS = "Job db-migrate was replaced and runs again";
    private static final String WITHDRAWN = "version 2 is withdrawn";

    /** Written for Pods, as most are: Kyverno makes the rule for Jobs from it. */
    private static final String REFUSAL = """
            apiVersion: kyverno.io/v1
            kind: ClusterPolicy
            metadata: {name: withdrawn}
            spec:
              background: false
              rules:
                - name: version
                  match: {any: [{resources: {kinds: [Pod]}}]}
                  validate:
                    failureAction: Enforce
                    message: %s
                    pattern: {spec: {containers: [{image: "!*:2.*"}]}}
            """.formatted(WITHDRAWN);

    private final Cluster cluster = Cluster.start();
    private final Kyverno kyverno = Kyverno.start(cluster.controlPlane());
    private final ArgoCd argoCd = ArgoCd.start(cluster.controlPlane());

    /** When Kyverno changes Jobs; an edit that it changes reaches us with the change. */
    enum Mutation {
        OF_NEW_JOBS("[CREATE]"),
        OF_EDITS_TOO("[CREATE, UPDATE]");

        private final String operations;

        Mutation(String operations) {
            this.operations = operations;
        }

        /** Names the Namespaces in which it is so. */
        String purpose() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Takes images from another registry, and adds a label and a sidecar to the Pods. */
        String policy() {
            return """
                    apiVersion: kyverno.io/v1
                    kind: ClusterPolicy
                    metadata: {name: PURPOSE}
                    spec:
                      background: false
                      rules:
                        - name: registry
                          match: {any: [{resources: {kinds: [Job], operations: OPERATIONS, namespaces: ["PURPOSE-*"]}}]}
                          mutate:
                            foreach:
                              - list: request.object.spec.template.spec.containers
                                patchStrategicMerge:
                                  spec:
                                    template:
                                      spec:
                                        containers:
                                          - name: "{{ element.name }}"
                                            image: "mirror.example/{{ images.containers.\\"{{element.name}}\\".path }}:{{ images.containers.\\"{{element.name}}\\".tag }}"
                        - name: sidecar
                          match: {any: [{resources: {kinds: [Job], operations: OPERATIONS, namespaces: ["PURPOSE-*"]}}]}
                          mutate:
                            patchStrategicMerge:
                              spec:
                                template:
                                  metadata: {labels: {mesh: joined}}
                                  spec: {containers: [{name: proxy, image: "mirror.example/proxy:1"}]}
                    """.replace("PURPOSE", purpose()).replace("OPERATIONS", operations);
        }
    }

    /** Who shows people what the API server says. */
    enum Client {
        KUBECTL_APPLY {
            @Override
            Result send(Workspace shop, Path home, String version) {
                return shop.kubectl("apply", "-f", shop.file(JobRelease.manifest(version)));
            }
        },
        SERVER_SIDE_APPLY {
            @Override
            Result send(Workspace shop, Path home, String version) {
                return shop.kubectl("apply", "--server-side", "-f", shop.file(JobRelease.manifest(version)));
            }
        },
        HELM_3 {
            @Override
            Result send(Workspace shop, Path home, String version) {
                return JobRelease.upgrade(Helm.HELM_3, shop, home, version);
            }
        },
        HELM_4 {
            @Override
            Result send(Workspace shop, Path home, String version) {
                return JobRelease.upgrade(Helm.HELM_4, shop, home, version);
            }
        };

        abstract Result send(Workspace shop, Path home, String version);

        /** Fails unless it tells people of each replacement, and of no other. */
        JobRelease release(Workspace shop, Path home) {
            return JobRelease.by(
                    shop,
                    version -> {
                        var answer = send(shop, home, version).orFail();
                        if (shop.job(JOB).at(REPLACED).isTextual()) {
                            assertThat(answer.err()).contains(WORDS);
                        }
                    },
                    version -> {
                        var before = shop.uid(JOB);
                        var answer = send(shop, home, version).orFail();
                        if (shop.uid(JOB).equals(before)) {
                            assertThat(answer.err()).doesNotContain(WORDS);
                        }
                    });
        }
    }

    static Stream<Arguments> clientsAndMutations() {
        return withMutations(Stream.of(Client.values()));
    }

    static Stream<Arguments> modesAndMutations() {
        return withMutations(Stream.of(ArgoCdMode.values()));
    }

    private static Stream<Arguments> withMutations(Stream<?> clients) {
        return clients.flatMap(client -> Stream.of(Mutation.values()).map(mutation -> Arguments.of(client, mutation)));
    }

    @BeforeAll
    void enforce() {
        kyverno.enforce(
                Stream.concat(Stream.of(REFUSAL), Stream.of(Mutation.values()).map(Mutation::policy))
                        .reduce((first, second) -> first + "---\n" + second)
                        .orElseThrow());
        for (var mutation : Mutation.values()) {
            var canary = Workspace.in(cluster.controlPlane(), mutation.purpose());
            await("policies in effect").atMost(Patience.LIMIT).until(() -> {
                var trial = canary.kubectl(
                        "create",
                        "-f",
                        canary.file(JobRelease.manifest("1.0")),
                        "--dry-run=server",
                        "-o",
                        "jsonpath={.spec.template.spec}");
                var withdrawn = canary.kubectl("create", "job", "canary", "--image=one:2.0", "--dry-run=server");
                return trial.out().contains("mirror.example/shop/migrate:1.0")
                        && trial.out().contains("proxy")
                        && withdrawn.err().contains(WITHDRAWN);
            });
        }
    }

    @AfterAll
    void end() {
        argoCd.close();
        kyverno.close();
        cluster.close();
    }

    @ParameterizedTest(name = "{0}, mutation {1}")
    @MethodSource("clientsAndMutations")
    void everyEditRunsTheJobOnce(Client client, Mutation mutation, @TempDir Path home) {
        everyEditRunsTheJobOnce(client.release(workspace(mutation), home), mutation);
    }

    @ParameterizedTest(name = "Fleet, mutation {0}")
    @EnumSource
    void everyBundleRunsTheJobOnce(Mutation mutation, @TempDir Path folder) {
        everyEditRunsTheJobOnce(JobRelease.byFleet(cluster.controlPlane(), workspace(mutation), folder), mutation);
    }

    /** Where it compares by itself it is never content with the other registry, and heals in vain. */
    @ParameterizedTest(name = "Argo CD, {0}, mutation {1}", quoteTextArguments = false)
    @MethodSource("modesAndMutations")
    void everyCommitThatArgoCdSyncsRunsTheJobOnce(ArgoCdMode mode, Mutation mutation, @TempDir Path folder) {
        boolean seesDrift = mode == ArgoCdMode.CLIENT_SIDE;
        everyEditRunsTheJobOnce(JobRelease.byArgoCd(argoCd, mode, seesDrift, workspace(mutation), folder), mutation);
    }

    @Nested
    @RequiresTools("flux")
    @Execution(ExecutionMode.CONCURRENT)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class ByFlux {

        private final Flux flux = Flux.start(cluster.controlPlane());

        @AfterAll
        void end() {
            flux.close();
        }

        @ParameterizedTest(name = "Flux, mutation {0}")
        @EnumSource
        void everyCommitRunsTheJobOnce(Mutation mutation, @TempDir Path folder) {
            everyEditRunsTheJobOnce(JobRelease.byFlux(flux, workspace(mutation), folder), mutation);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void anEditThatKyvernoRefusesChangesNothing(Client client, @TempDir Path home) {
        var shop = workspace(Mutation.OF_NEW_JOBS);
        shop.onImmutableChange("Replace");
        client.send(shop, home, "1.0").orFail();
        shop.awaitComplete(JOB);
        var before = shop.job(JOB);
        var history = JobHistory.of(shop, JOB);

        var answer = client.send(shop, home, "2.0");

        assertThat(answer.exitCode()).as(answer.text()).isNotZero();
        assertThat(answer.err()).contains("field is immutable", "NewJobRefused", WITHDRAWN);
        assertThat(shop.job(JOB)).isEqualTo(before);
        assertThat(deleted(shop)).isZero();

        assertThat(client.send(shop, home, "1.1").orFail().err()).contains(WORDS);
        awaitEnd(history, shop, "1.1");
        assertThat(history.newRuns()).isEqualTo(1);
    }

    private Workspace workspace(Mutation mutation) {
        return Workspace.in(cluster.controlPlane(), mutation.purpose());
    }

    private static void everyEditRunsTheJobOnce(JobRelease release, Mutation mutation) {
        // nothing says yet what was ordered, so that the other registry is taken for an edit, once; where Kyverno puts
        // it into the same manifest again, there is none
        int first = mutation == Mutation.OF_NEW_JOBS ? 2 : 1;
        try (release) {
            release.assertEachEditRunsTheJobOnce(
                    first, (history, version) -> awaitEnd(history, release.shop(), version));
        }
    }

    /** Complete, as Kyverno made it: it puts the sidecar before the container of the manifest. */
    private static void awaitEnd(JobHistory history, Workspace shop, String version) {
        var image = "mirror.example/shop/migrate:" + version;
        history.awaitComplete(image);
        var template = shop.job(JOB).at("/spec/template");
        assertThat(template.at("/spec/containers").findValuesAsText("image"))
                .containsExactly("mirror.example/proxy:1", image);
        assertThat(template.at("/metadata/labels/mesh").asText()).isEqualTo("joined");
    }

    private static long deleted(Workspace shop) {
        return shop.changes().stream()
                .filter(change -> change.resource().equals("jobs") && !change.dryRun())
                .filter(change -> change.verb().startsWith("delete"))
                .filter(Change::succeeded)
                .count();
    }
}
