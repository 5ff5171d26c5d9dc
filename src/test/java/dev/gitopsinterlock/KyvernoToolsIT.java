package dev.gitopsinterlock;

import static dev.gitopsinterlock.testing.Manifests.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.scenario.Stories;
import dev.gitopsinterlock.testing.AuditLog.Change;
import dev.gitopsinterlock.testing.Cluster;
import dev.gitopsinterlock.testing.Command.Result;
import dev.gitopsinterlock.testing.Helm;
import dev.gitopsinterlock.testing.JobHistory;
import dev.gitopsinterlock.testing.Kyverno;
import dev.gitopsinterlock.testing.RequiresTools;
import dev.gitopsinterlock.testing.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
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
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KyvernoToolsIT {

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

    /** A way to send an edit: an image of another version. */
    enum Client {
        KUBECTL_APPLY {
            @Override
            Result send(Workspace shop, Path home, String version) {
                return shop.kubectl("apply", "-f", shop.file(job(version)));
            }
        },
        SERVER_SIDE_APPLY {
            @Override
            Result send(Workspace shop, Path home, String version) {
                return shop.kubectl("apply", "--server-side", "-f", shop.file(job(version)));
            }
        },
        HELM_4 {
            @Override
            Result send(Workspace shop, Path home, String version) throws IOException {
                var chart = home.resolve("chart");
                Files.createDirectories(chart.resolve("templates"));
                Files.writeString(chart.resolve("Chart.yaml"), "{apiVersion: v2, name: shop, version: 0.1.0}\n");
                Files.writeString(chart.resolve("templates/job.yaml"), job(version));
                return Helm.HELM_4.run(shop, home, "upgrade", "--install", "shop", chart.toString());
            }
        };

        abstract Result send(Workspace shop, Path home, String version) throws IOException;

        private static String job(String version) {
            return JOB.replace("migrate:1.0", "migrate:" + version);
        }
    }

    static Stream<Arguments> clientsAndMutations() {
        return Stream.of(Client.values())
                .flatMap(client -> Stream.of(Mutation.values()).map(mutation -> Arguments.of(client, mutation)));
    }

    @BeforeAll
    void enforce() {
        kyverno.enforce(
                Stream.concat(Stream.of(REFUSAL), Stream.of(Mutation.values()).map(Mutation::policy))
                        .reduce((first, second) -> first + "---\n" + second)
                        .orElseThrow());
        for (var mutation : Mutation.values()) {
            var canary = Workspace.in(cluster.controlPlane(), mutation.purpose());
            await("policies in effect").atMost(Duration.ofMinutes(1)).until(() -> {
                var trial = canary.kubectl(
                        "create", "-f", canary.file(JOB), "--dry-run=server", "-o", "jsonpath={.spec.template.spec}");
                var withdrawn = canary.kubectl("create", "job", "canary", "--image=one:2.0", "--dry-run=server");
                return trial.out().contains("mirror.example/migrate:1.0")
                        && trial.out().contains("proxy")
                        && withdrawn.err().contains(WITHDRAWN);
            });
        }
    }

    @AfterAll
    void end() {
        kyverno.close();
        cluster.close();
    }

    @ParameterizedTest(name = "{0}, mutation {1}")
    @MethodSource("clientsAndMutations")
    void eachEditRunsTheJobOnce(Client client, Mutation mutation, @TempDir Path home) throws IOException {
        var shop = workspace(mutation);
        client.send(shop, home, "1.0").orFail();

        for (var version : List.of("1.1", "1.2", "1.3")) {
            shop.awaitComplete("db-migrate");
            assertReplacedOnce(shop, version, () -> client.send(shop, home, version));
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void anEditThatKyvernoRefusesChangesNothing(Client client, @TempDir Path home) throws IOException {
        var shop = workspace(Mutation.OF_NEW_JOBS);
        client.send(shop, home, "1.0").orFail();
        shop.awaitComplete("db-migrate");
        var before = shop.job("db-migrate");

        var answer = client.send(shop, home, "2.0");

        assertThat(answer.exitCode()).as(answer.text()).isNotZero();
        assertThat(answer.err()).contains("/guidance/NewJobRefused", WITHDRAWN);
        assertThat(shop.job("db-migrate")).isEqualTo(before);
        assertThat(deleted(shop)).isZero();
        assertReplacedOnce(shop, "1.1", () -> client.send(shop, home, "1.1"));
    }

    private Workspace workspace(Mutation mutation) {
        var shop = Workspace.in(cluster.controlPlane(), mutation.purpose());
        shop.onImmutableChange("Replace");
        return shop;
    }

    private interface Edit {
        Result send() throws IOException;
    }

    /** And sent again, the edit changes nothing. */
    private static void assertReplacedOnce(Workspace shop, String version, Edit edit) throws IOException {
        var old = shop.uid("db-migrate");
        long deletedBefore = deleted(shop);
        var history = JobHistory.of(shop, "db-migrate");

        var answer = edit.send();

        assertThat(answer.exitCode()).as(answer.text()).isZero();
        assertThat(answer.err()).contains("Job db-migrate was replaced and runs again");
        var uid = shop.uid("db-migrate");
        assertThat(uid).isNotEqualTo(old);
        assertChangedByKyverno(shop.job("db-migrate"), version);
        shop.awaitComplete("db-migrate");

        var repeated = edit.send();

        assertThat(repeated.exitCode()).as(repeated.text()).isZero();
        assertThat(repeated.err()).doesNotContain("was replaced");
        assertThat(shop.uid("db-migrate")).isEqualTo(uid);
        assertChangedByKyverno(shop.job("db-migrate"), version);
        assertThat(history.newRuns()).as("Pods since the edit").isEqualTo(1);
        assertThat(deleted(shop) - deletedBefore)
                .as("Jobs deleted since the edit")
                .isEqualTo(1);
    }

    /** It puts the sidecar before the container of the manifest. */
    private static void assertChangedByKyverno(JsonNode job, String version) {
        var template = job.at("/spec/template");
        assertThat(template.at("/spec/containers").findValuesAsText("image"))
                .containsExactly("mirror.example/proxy:1", "mirror.example/migrate:" + version);
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
