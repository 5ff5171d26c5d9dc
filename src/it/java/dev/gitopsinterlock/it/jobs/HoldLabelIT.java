package dev.gitopsinterlock.it.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Manifests;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** New Jobs get the label that lets a Node wait, on the real API server, and whatever sends their manifest again is not refused. */
@ExtendWith(Cluster.Extension.class)
class HoldLabelIT {

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
        await("the Namespace's annotation in effect").atMost(Patience.LIMIT).untilAsserted(() -> {
            shop.kubectl("delete", "job", "--all").orFail();
            send(first);
            assertThat(label()).isEqualTo("true");
        });
        var uid = field("metadata.uid");
        await("Pod")
                .atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(shop.kubectl(
                                        "get", "pods", "-l", "gitops-interlock.dev/hold-restarts=true", "-o", "name")
                                .orFail()
                                .out())
                        .startsWith("pod/db-migrate"));

        send(again);
        send(again);

        assertThat(label()).isEqualTo("true");
        assertThat(field("metadata.uid")).isEqualTo(uid);
    }

    private void send(String command) {
        shop.kubectl((command + " -f " + shop.file(JOB)).split(" ")).orFail();
    }

    private String label() {
        return field("spec.template.metadata.labels.gitops-interlock\\.dev/hold-restarts");
    }

    private String field(String path) {
        return shop.kubectl("get", "job/db-migrate", "-o", "jsonpath={." + path + "}")
                .orFail()
                .out();
    }
}
