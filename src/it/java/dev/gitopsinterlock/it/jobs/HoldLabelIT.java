package dev.gitopsinterlock.it.jobs;

import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Manifests;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** New Jobs get the label that lets a Node wait, and Karpenter's annotation, on the real API server, and whatever sends their manifest again is not refused. */
@ExtendWith(Cluster.Extension.class)
class HoldLabelIT {

    private static final String DO_NOT_DISRUPT = "spec.template.metadata.annotations.karpenter\\.sh/do-not-disrupt";
    private static final String LABEL = "{.spec.template.metadata.labels.gitops-interlock\\.dev/hold-restarts}";
    private static final String JOB = Manifests.running(Manifests.JOB);

    private final Workspace shop;

    HoldLabelIT(Cluster cluster) {
        shop = Workspace.in(cluster.controlPlane(), "hold-label");
    }

    @BeforeEach
    void labelAllJobs() {
        shop.kubectl("annotate", "namespace", shop.namespace(), "gitops-interlock.dev/hold-restarts=true")
                .orFail();
    }

    @ParameterizedTest(name = "{0}, then {1}")
    @CsvSource({
        "apply, apply",
        "apply --server-side, apply --server-side",
        "apply --server-side, apply --server-side --force-conflicts --field-manager=other",
        "apply --server-side, replace",
        "create, replace",
        "apply, apply --server-side --force-conflicts",
        "create, apply"
    })
    void whatSendsTheManifestAgainIsNotRefused(String first, String again) {
        awaitLabelled(() -> send(first));
        var uid = field("metadata.uid");
        await("Pod")
                .atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(shop.kubectl(
                                        "get", "pods", "-l", "gitops-interlock.dev/hold-restarts=true", "-o", "name")
                                .orFail()
                                .out())
                        .startsWith("pod/db-migrate"));
        // kubectl replace reads the Job first, and is told of a conflict if its controller writes in between
        shop.awaitActive("db-migrate");

        send(again);
        send(again);

        assertThat(label()).isEqualTo("true");
        assertThat(field(DO_NOT_DISRUPT)).isEqualTo("true");
        assertThat(field("metadata.uid")).isEqualTo(uid);
    }

    /** By the real CronJob controller, which is made to believe that it has missed a run. */
    @Test
    void jobsThatACronJobMakesAreLabelledAndTheCronJobStaysAsItIs() {
        awaitLabelled(() -> send("create"));
        shop.kubectl("apply", "-f", shop.file(cronJob("nightly", "{}"))).orFail();
        shop.kubectl("apply", "-f", shop.file(cronJob("declining", "{gitops-interlock.dev/hold-restarts: 'false'}")))
                .orFail();
        for (var name : new String[] {"nightly", "declining"}) {
            shop.kubectl(
                            "patch",
                            "cronjob",
                            name,
                            "--subresource=status",
                            "--type=merge",
                            "-p",
                            "{\"status\":{\"lastScheduleTime\":\"%s\"}}"
                                    .formatted(Instant.now().minusSeconds(70).truncatedTo(SECONDS)))
                    .orFail();
            await("Job of " + name)
                    .atMost(Patience.LIMIT)
                    .until(() -> !labelsOf(name).isEmpty());
        }
        shop.kubectl("create", "job", "by-hand", "--from=cronjob/nightly").orFail();

        assertThat(labelsOf("nightly")).containsOnly("true");
        assertThat(labelsOf("declining")).containsOnly("none");
        assertThat(shop.kubectl("get", "job", "by-hand", "-o", "jsonpath=" + LABEL)
                        .orFail()
                        .out())
                .isEqualTo("true");
        assertThat(shop.kubectl("get", "cronjobs", "-o", "jsonpath={.items[*].metadata.generation}")
                        .orFail()
                        .out())
                .isEqualTo("1 1");
        shop.kubectl("delete", "cronjobs", "--all").orFail();
    }

    private static String cronJob(String name, String annotations) {
        return """
                apiVersion: batch/v1
                kind: CronJob
                metadata: {name: %s}
                spec:
                  schedule: "* * * * *"
                  jobTemplate:
                    metadata: {annotations: %s, labels: {of: %s}}
                    spec:
                      template:
                        spec: {restartPolicy: Never, containers: [{name: work, image: registry.example/work}]}
                """.formatted(name, annotations, name);
    }

    /** Of each Job of the CronJob. */
    private List<String> labelsOf(String cronJob) {
        return shop.kubectl(
                        "get",
                        "jobs",
                        "-l",
                        "of=" + cronJob,
                        "-o",
                        "go-template={{range .items}}{{or (index .spec.template.metadata.labels \"%s\") \"none\"}}{{\"\\n\"}}{{end}}"
                                .formatted("gitops-interlock.dev/hold-restarts"))
                .orFail()
                .out()
                .lines()
                .toList();
    }

    private void awaitLabelled(Runnable create) {
        await("the Namespace's annotation in effect").atMost(Patience.LIMIT).untilAsserted(() -> {
            shop.kubectl("delete", "job", "--all").orFail();
            create.run();
            assertThat(label()).isEqualTo("true");
        });
    }

    private void send(String command) {
        shop.kubectl((command + " -f " + shop.file(JOB)).split(" ")).orFail();
    }

    private String label() {
        return shop.kubectl("get", "job/db-migrate", "-o", "jsonpath=" + LABEL)
                .orFail()
                .out();
    }

    private String field(String path) {
        return shop.kubectl("get", "job/db-migrate", "-o", "jsonpath={." + path + "}")
                .orFail()
                .out();
    }
}
