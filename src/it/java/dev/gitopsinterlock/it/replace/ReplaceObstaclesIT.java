package dev.gitopsinterlock.it.replace;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static dev.gitopsinterlock.testing.text.Manifests.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What keeps an edit from being carried out, in the API server's own words: each time the old Job is as it was, and the
 * client is told why. Every obstacle is in JobEffectsTest or a case in src/test/resources/reviews/jobs.
 */
@ExtendWith(Cluster.Extension.class)
class ReplaceObstaclesIT {

    private static final String REPLACE = policy(JOB, "on-immutable-change", "Replace");

    private final Workspace shop;

    ReplaceObstaclesIT(Cluster cluster) {
        shop = Workspace.in(cluster.controlPlane(), "obstacles");
    }

    @Test
    void whoMayNotDeleteAndCreateGetsNeitherDone() {
        finished(REPLACE);
        var deployer = shop.account("deployer", "get,patch,update");

        var answer = shop.kubectl("--as=" + deployer, "apply", "-f", file(edited(REPLACE)));

        assertRefused(answer, "RightsMissing", "the right to delete and create jobs in namespace " + shop.namespace());
    }

    @Test
    void aFullQuotaRefusesTheNewJob() {
        finished(REPLACE);
        shop.kubectl("create", "quota", "few-jobs", "--hard=count/jobs.batch=1").orFail();
        await("quota in effect")
                .until(() -> shop.kubectl("get", "quota", "few-jobs", "-o", "jsonpath={.status.used}")
                        .out()
                        .contains("\"1\""));

        assertRefused(edit(REPLACE), "NewJobRefused", "exceeded quota: few-jobs");
    }

    @Test
    void aNewJobThatIsNotValidIsNotTriedAndItsValuesAreNotTold() {
        finished(REPLACE);

        var answer = shop.kubectl(
                "apply", "-f", file(edited(REPLACE).replace("restartPolicy: Never", "restartPolicy: s3cr3t")));

        assertRefused(answer, "NewJobRefused", "spec.template.spec.restartPolicy (FieldValue");
        assertThat(answer.text()).doesNotContain("s3cr3t");
    }

    @Test
    void controllersJobsAndTerminatingOnesGetPlainKubernetes() {
        shop.apply(REPLACE);
        var uid = shop.uid("db-migrate");
        shop.kubectl(
                        "patch",
                        "job",
                        "db-migrate",
                        "--type=merge",
                        "-p",
                        "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
                                + "\"name\":\"kube-root-ca.crt\",\"uid\":\"" + configMapUid()
                                + "\",\"controller\":true}]}}")
                .orFail();
        assertPlainKubernetes(edit(REPLACE));
        shop.kubectl(
                        "patch",
                        "job",
                        "db-migrate",
                        "--type=merge",
                        "-p",
                        "{\"metadata\":{\"ownerReferences\":null,\"finalizers\":[\"example.com/hold\"]}}")
                .orFail();
        shop.kubectl("delete", "job", "db-migrate", "--wait=false", "--cascade=foreground")
                .orFail();

        assertPlainKubernetes(edit(REPLACE));

        assertThat(shop.uid("db-migrate")).isEqualTo(uid);
        shop.kubectl("patch", "job", "db-migrate", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}")
                .orFail();
    }

    @Test
    void aStalePutIsAConflictAndReplacesNothing() {
        finished(REPLACE);
        var stale = edited(REPLACE).replace("name: db-migrate", "name: db-migrate\n  resourceVersion: '1'");
        var uid = shop.uid("db-migrate");

        var answer = shop.kubectl("replace", "-f", file(stale));

        assertThat(answer.err()).contains("Conflict");
        assertThat(shop.uid("db-migrate")).isEqualTo(uid);
    }

    private void finished(String job) {
        shop.apply(job);
        shop.awaitComplete("db-migrate");
    }

    private Command.Result edit(String job) {
        return shop.kubectl("apply", "-f", file(edited(job)));
    }

    private String file(String text) {
        return shop.file(text);
    }

    private String image() {
        return shop.job("db-migrate")
                .at("/spec/template/spec/containers/0/image")
                .asText();
    }

    private String configMapUid() {
        await("ConfigMap of every Namespace")
                .until(() ->
                        shop.kubectl("get", "configmap", "kube-root-ca.crt").exitCode() == 0);
        return shop.kubectl("get", "configmap", "kube-root-ca.crt", "-o", "jsonpath={.metadata.uid}")
                .orFail()
                .out();
    }

    private void assertRefused(Command.Result answer, String code, String words) {
        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err()).contains("(field is immutable) " + code, words).doesNotContain("map[");
        assertThat(shop.jobs()).containsExactly("db-migrate");
        assertThat(image()).endsWith(":1.0");
        assertThat(shop.job("db-migrate").path("metadata").has("deletionTimestamp"))
                .isFalse();
    }

    private static void assertPlainKubernetes(Command.Result answer) {
        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err())
                .contains("Invalid value", "field is immutable")
                .doesNotContain("(field is immutable)", "denied the request");
    }
}
