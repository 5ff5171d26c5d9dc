package dev.gitopsinterlock.it.jobs;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the owner of an object sees of a refused edit that somebody else sent, on the real API server. */
@ExtendWith(Cluster.Extension.class)
class DenialEventsIT {

    private final Workspace shop;

    DenialEventsIT(Cluster cluster) {
        shop = Workspace.in(cluster.controlPlane(), "told");
    }

    @Test
    void manyRefusalsAreOneEventOnTheJobThatCountsThem() {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        shop.kubectl("apply", "--dry-run=server", "-f", shop.file(edited(JOB)));

        await("the count on the Event").untilAsserted(() -> {
            assertThat(shop.kubectl("apply", "-f", shop.file(edited(JOB))).err())
                    .contains("KubectlApplyJobEdit");
            assertThat(events()).singleElement().asString().matches("Job db-migrate [2-9][0-9]* Refuse .*");
        });
        assertThat(events().getFirst())
                .contains("KubectlApplyJobEdit", "spec.template.spec.containers[0].image")
                .doesNotContain("migrate:1.1");
        assertThat(shop.kubectl("describe", "job", "db-migrate").orFail().out())
                .containsPattern("Warning +EditRefused +[^ ]+ \\(x[0-9]+ over [^)]+\\) +gitops-interlock.dev/webhook")
                .contains("KubectlApplyJobEdit");
    }

    @Test
    void aDryRunLeavesNothingBehind() {
        shop.apply(JOB);
        shop.apply(JOB.replace("db-migrate", "other"));
        shop.awaitComplete("db-migrate");
        assertThat(shop.kubectl("apply", "--dry-run=server", "-f", shop.file(edited(JOB)))
                        .err())
                .contains("KubectlApplyJobEdit");
        shop.kubectl("apply", "-f", shop.file(edited(JOB).replace("db-migrate", "other")));

        await("Event on the other").until(() -> events().stream().anyMatch(event -> event.contains(" other ")));
        assertThat(events()).noneMatch(event -> event.contains(" db-migrate "));
    }

    @Test
    void otherKindsAreToldToo() {
        shop.apply(STATEFUL_SET);
        shop.kubectl(
                "patch",
                "statefulset",
                "db",
                "--type=merge",
                "-p",
                "{'spec': {'serviceName': 'another'}}".replace('\'', '"'));

        await("Event")
                .untilAsserted(() -> assertThat(events())
                        .singleElement()
                        .asString()
                        .startsWith("StatefulSet db ")
                        .contains("StatefulSetEdit", "spec.serviceName")
                        .doesNotContain("another"));
    }

    private List<String> events() {
        return shop.kubectl(
                        "get",
                        "events.events.k8s.io",
                        "-o",
                        "jsonpath={range .items[?(@.reason=='EditRefused')]}"
                                + "{.regarding.kind} {.regarding.name} {.series.count} {.action} {.note}{'\\n'}{end}")
                .orFail()
                .out()
                .lines()
                .toList();
    }

    private static final String STATEFUL_SET = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata:
              name: db
            spec:
              serviceName: db
              replicas: 0
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db}}
                spec: {containers: [{name: db, image: 'busybox:1'}]}
            """;
}
