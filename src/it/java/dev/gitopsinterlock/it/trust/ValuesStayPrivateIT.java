package dev.gitopsinterlock.it.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever a Job holds, nothing of it comes out again: not to the client, not into log, metrics, events or audit. */
@ExtendWith(Cluster.Extension.class)
class ValuesStayPrivateIT {

    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: db-migrate
              annotations: {example.com/token: annotation-s3cr3t-1}
            spec:
              template:
                metadata:
                  annotations: {example.com/token: template-s3cr3t-1}
                spec:
                  restartPolicy: Never
                  nodeSelector: {pool: selector-s3cr3t-1}
                  volumes:
                    - {name: nfs, nfs: {server: volume-s3cr3t-1, path: /volume-s3cr3t-1}}
                    - {name: csi, csi: {driver: csi.example, volumeAttributes: {key-s3cr3t-1: csi-s3cr3t-1}}}
                  containers:
                    - name: migrate
                      image: registry.example/image-s3cr3t-1
                      command: [command-s3cr3t-1]
                      args: [args-s3cr3t-1]
                      workingDir: /dir-s3cr3t-1
                      env: [{name: PASSWORD, value: env-s3cr3t-1}]
            """;

    private final Cluster cluster;

    ValuesStayPrivateIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void noValueOfAJobIsEverRepeated() throws IOException {
        var kubernetes = cluster.controlPlane();
        kubernetes.createNamespace("private");
        kubernetes.kubectl("-n", "private", "apply", "-f", kubernetes.file(JOB)).orFail();

        var edited = JOB.replace("s3cr3t-1", "s3cr3t-2")
                .replace(
                        "annotations: {example.com",
                        "annotations: {gitops-interlock.dev/on-immutable-change: 'pass s3cr3t-3', example.com");
        var answer = kubernetes.kubectl("-n", "private", "apply", "-f", kubernetes.file(edited));

        assertThat(answer.text()).contains("KubectlApplyJobEdit", "Warning: ").doesNotContain("s3cr3t");
        assertThat(cluster.interlock().log())
                .contains("object=private/db-migrate")
                .doesNotContain("s3cr3t");
        assertThat(cluster.interlock().metrics())
                .contains("gitops_interlock_denials_total")
                .doesNotContain("s3cr3t", "private", "db-migrate");
        await("Event")
                .untilAsserted(() -> assertThat(kubernetes
                                .kubectl("-n", "private", "get", "events", "-o", "yaml")
                                .orFail()
                                .out())
                        .contains("EditRefused", "KubectlApplyJobEdit")
                        .doesNotContain("s3cr3t"));
        await("audit event")
                .untilAsserted(() -> assertThat(Files.readString(kubernetes.auditLog()))
                        .contains("\"jobs.gitops-interlock.dev/guidance\":\"KubectlApplyJobEdit\""));
        assertThat(Files.readString(kubernetes.auditLog())
                        .lines()
                        .filter(line -> line.contains("gitops-interlock.dev/guidance")))
                .allSatisfy(line -> assertThat(line).doesNotContain("s3cr3t"));
    }

    @ParameterizedTest
    @CsvSource({"Replace, Replaced", "GenerateName, RunStarted"})
    void whatTakesEffectTellsNoValueEither(String policy, String event) throws IOException {
        var shop = Workspace.in(cluster.controlPlane(), "private");
        var job = JOB.replace(
                "annotations: {example.com",
                "annotations: {gitops-interlock.dev/on-immutable-change: " + policy
                        + ", gitops-interlock.dev/when-active: Replace, example.com");
        shop.apply(job);

        var answer = shop.kubectl("apply", "-f", shop.file(job.replace("s3cr3t-1", "s3cr3t-2")));

        assertThat(answer.orFail().text()).contains("Warning: ").doesNotContain("s3cr3t");
        assertThat(cluster.interlock().log())
                .contains("object=" + shop.namespace() + "/db-migrate")
                .doesNotContain("s3cr3t");
        assertThat(cluster.interlock().metrics())
                .contains("gitops_interlock_effects_total")
                .doesNotContain("s3cr3t", shop.namespace(), "db-migrate");
        await("Event")
                .untilAsserted(
                        () -> assertThat(shop.kubectl("get", "events", "--field-selector=reason=" + event, "-o", "yaml")
                                        .orFail()
                                        .out())
                                .contains("gitops-interlock.dev/webhook")
                                .doesNotContain("s3cr3t"));
        assertThat(Files.readString(cluster.controlPlane().auditLog())
                        .lines()
                        .filter(line -> line.contains(shop.namespace())))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).doesNotContain("s3cr3t"));
    }
}
