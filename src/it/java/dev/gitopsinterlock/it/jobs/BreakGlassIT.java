package dev.gitopsinterlock.it.jobs;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.service.Interlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** People break the glass, on the real API server: a cluster of its own, because it holds for all of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BreakGlassIT {

    private static final String ANNOTATION = "gitops-interlock.dev/break-glass";

    private final Cluster cluster = Cluster.start();
    private final Workspace shop = finished("shop");
    private final Workspace blog = finished("blog");

    private Workspace finished(String name) {
        var workspace = Workspace.in(cluster.controlPlane(), name);
        workspace.apply(JOB);
        workspace.awaitComplete("db-migrate");
        return workspace;
    }

    @AfterAll
    void end() {
        cluster.close();
    }

    @Test
    void ofANamespaceItHoldsThereAlone() {
        annotate(shop.namespace(), ANNOTATION + "=true");

        awaitPlainAnswer(shop);
        assertAdvised(blog);
        assertThat(cluster.interlock().metrics())
                .contains("gitops_interlock_break_glass{scope=\"cluster\"} 0.0")
                .contains("gitops_interlock_break_glass{scope=\"namespaces\"} 1.0");

        annotate(shop.namespace(), ANNOTATION + "-");
        await("mended").untilAsserted(() -> assertAdvised(shop));
    }

    @Test
    void ofOurOwnNamespaceItHoldsEverywhere() {
        annotate("gitops-interlock", ANNOTATION + "=true");

        awaitPlainAnswer(blog);
        awaitPlainAnswer(shop);
        assertThat(cluster.interlock().metrics()).contains("gitops_interlock_break_glass{scope=\"cluster\"} 1.0");
        assertThat(cluster.interlock().log()).contains("break glass: nothing is judged in this cluster until");

        annotate("gitops-interlock", ANNOTATION + "-");
        await("mended").untilAsserted(() -> assertAdvised(shop));
        assertAdvised(blog);
    }

    /** Or an installation of the gate alone could not be stopped in this way. */
    @Test
    void ofOurOwnNamespaceItHoldsAlsoWhereNoOtherAnnotationCounts() {
        var kubernetes = cluster.controlPlane();
        try (var alone = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .start()) {
            annotate(shop.namespace(), ANNOTATION + "=true");
            annotate("gitops-interlock", ANNOTATION + "=true");

            await("broken")
                    .untilAsserted(() -> assertThat(alone.metrics())
                            .contains("gitops_interlock_break_glass{scope=\"cluster\"} 1.0")
                            .contains("gitops_interlock_break_glass{scope=\"namespaces\"} 1.0"));
        } finally {
            annotate("gitops-interlock", ANNOTATION + "-");
            annotate(shop.namespace(), ANNOTATION + "-");
        }
        await("mended").untilAsserted(() -> assertAdvised(shop));
    }

    private void annotate(String namespace, String annotation) {
        cluster.controlPlane()
                .kubectl("annotate", "--overwrite", "namespace", namespace, annotation)
                .orFail();
    }

    private void awaitPlainAnswer(Workspace workspace) {
        await("Kubernetes' own words")
                .untilAsserted(() -> assertThat(edit(workspace))
                        .contains("Invalid value: ", "field is immutable")
                        .doesNotContain("KubectlApplyJobEdit"));
    }

    private void assertAdvised(Workspace workspace) {
        assertThat(edit(workspace)).contains("KubectlApplyJobEdit").doesNotContain("Invalid value: ");
    }

    private static String edit(Workspace workspace) {
        return workspace.kubectl("apply", "-f", workspace.file(edited(JOB))).err();
    }
}
