package dev.gitopsinterlock.it.replace;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static dev.gitopsinterlock.testing.text.Manifests.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people see who watch before they switch anything on, on the real API server: Preview and Warn. */
@ExtendWith(Cluster.Extension.class)
class PreviewIT {

    private static final String PREVIEWED = policy(JOB, "on-immutable-change", "Preview");

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 0
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web, tier: front}}
                spec:
                  containers: [{name: main, image: "registry.example/web:1"}]
            """;

    private final Cluster cluster;
    private final Workspace shop;

    PreviewIT(Cluster cluster) {
        this.cluster = cluster;
        shop = Workspace.in(cluster.controlPlane(), "preview");
    }

    @BeforeEach
    void finish() {
        shop.apply(PREVIEWED);
        shop.awaitComplete("db-migrate");
    }

    @Test
    void saysThatNothingStandsInTheWay() {
        assertPreviewed(
                shop.kubectl("apply", "-f", shop.file(edited(PREVIEWED))),
                "Preview: under Replace it would have been replaced now; nothing stands in the way.");
        assertThat(cluster.interlock().metrics()).contains("gitops_interlock_previews_total{result=\"would_replace\"}");
    }

    @Test
    void saysWhichRightIsMissing() {
        var deployer = shop.account("deployer", "get,patch,update,create");

        assertPreviewed(
                shop.kubectl("--as=" + deployer, "apply", "-f", shop.file(edited(PREVIEWED))),
                "it would not have been replaced now: the right to delete Jobs is missing.");
    }

    @Test
    void saysWhichQuotaIsInTheWay() {
        shop.kubectl("create", "quota", "few-jobs", "--hard=count/jobs.batch=1").orFail();
        await("quota in effect")
                .until(() -> shop.kubectl("get", "quota", "few-jobs", "-o", "jsonpath={.status.used}")
                        .out()
                        .contains("\"1\""));

        assertPreviewed(
                shop.kubectl("apply", "-f", shop.file(edited(PREVIEWED))),
                "it would not have been replaced now: ",
                "exceeded quota: few-jobs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--server-side=false", "--server-side=true"})
    void warnsBesideKubernetesOwnWords(String how) {
        shop.kubectl("delete", "job", "db-migrate").orFail();
        shop.kubectl("apply", how, "-f", shop.file(JOB)).orFail();
        shop.awaitComplete("db-migrate");
        shop.onImmutableChange("Warn");
        var uid = shop.uid("db-migrate");

        await("the policy known").untilAsserted(() -> {
            var answer = shop.kubectl("apply", how, "-f", shop.file(edited(JOB)));

            assertThat(answer.exitCode()).isNotZero();
            assertThat(answer.err())
                    .contains("Warning: ", " (old Pods and logs are lost; ", " cannot be changed in place: spec.")
                    .contains("The Job \"db-migrate\" is invalid: spec.template: Invalid value: ", "field is immutable")
                    .doesNotContain("admission webhook");
        });
        assertThat(shop.uid("db-migrate")).isEqualTo(uid);
    }

    @Test
    void warnsOfOtherKinds() {
        shop.apply(DEPLOYMENT);
        shop.onImmutableChange("Warn");

        await("the policy known").untilAsserted(() -> {
            var answer = shop.kubectl(
                    "apply",
                    "-f",
                    shop.file(DEPLOYMENT.replace("matchLabels: {app: web}", "matchLabels: {tier: front}")));

            assertThat(answer.exitCode()).isNotZero();
            assertThat(answer.err())
                    .contains("Warning: Give the Deployment another name", "cannot be changed in place: spec.selector")
                    .contains("The Deployment \"web\" is invalid: spec.selector: Invalid value: ")
                    .doesNotContain("admission webhook");
        });
    }

    private void assertPreviewed(Command.Result answer, String... words) {
        var uid = shop.uid("db-migrate");
        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err()).contains(words).contains("KubectlApplyJobEdit");
        assertThat(shop.uid("db-migrate")).isEqualTo(uid);
        assertThat(shop.isComplete("db-migrate")).isTrue();
        assertThat(shop.job("db-migrate")
                        .at("/spec/template/spec/containers/0/image")
                        .asText())
                .endsWith(":1.0");
    }
}
