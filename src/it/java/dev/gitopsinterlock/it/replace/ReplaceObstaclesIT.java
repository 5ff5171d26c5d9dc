package dev.gitopsinterlock.it.replace;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.annotated;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static dev.gitopsinterlock.testing.text.Manifests.policy;
import static dev.gitopsinterlock.testing.text.Manifests.running;
import static dev.gitopsinterlock.testing.text.Manifests.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.OthersWebhook;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What keeps an edit from being carried out: each time the old Job is as it was, and the client is told why. */
@ExtendWith(Cluster.Extension.class)
class ReplaceObstaclesIT {

    private static final String REPLACE = policy(JOB, "on-immutable-change", "Replace");

    private final Cluster cluster;
    private final Workspace shop;

    ReplaceObstaclesIT(Cluster cluster) {
        this.cluster = cluster;
        shop = Workspace.in(cluster.controlPlane(), "obstacles");
    }

    @ParameterizedTest
    @CsvSource({
        "'get,patch,update', 'delete and create jobs'",
        "'get,patch,update,create', 'delete jobs'",
        "'get,patch,update,delete', 'create jobs'"
    })
    void whoMayNotDeleteAndCreateGetsNeitherDone(String verbs, String missing) {
        finished(REPLACE);
        var deployer = shop.account("deployer", verbs);

        var answer = shop.kubectl("--as=" + deployer, "apply", "-f", file(edited(REPLACE)));

        assertRefused(answer, "RightsMissing", "the right to " + missing + " in namespace " + shop.namespace());
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
    void anAdmissionPolicyRefusesTheNewJob() {
        finished(REPLACE);
        shop.apply("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: NAMESPACE}
                spec:
                  failurePolicy: Fail
                  matchConstraints:
                    resourceRules:
                      - {apiGroups: [batch], apiVersions: [v1], operations: [CREATE], resources: [jobs]}
                  validations:
                    - expression: "object.spec.template.spec.containers.all(c, !c.image.endsWith(':1.1'))"
                      message: version 1.1 is withdrawn
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: NAMESPACE}
                spec:
                  policyName: NAMESPACE
                  validationActions: [Deny]
                  matchResources:
                    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
                """.replace("NAMESPACE", shop.namespace()));
        await("policy in effect")
                .atMost(Patience.LIMIT)
                .until(() -> shop.kubectl("create", "job", "probe", "--image=migrate:1.1", "--dry-run=server")
                        .err()
                        .contains("withdrawn"));

        assertRefused(edit(REPLACE), "NewJobRefused", "version 1.1 is withdrawn");
    }

    @Test
    void anotherWebhookRefusesTheNewJob() {
        finished(REPLACE);
        try (var other = OthersWebhook.denying(cluster.controlPlane(), shop.namespace(), "needs a ticket\nmap[a:b]")) {
            await("webhook in effect")
                    .until(() -> shop.kubectl("create", "job", "probe", "--image=one", "--dry-run=server")
                            .err()
                            .contains("needs a ticket"));

            var answer = edit(REPLACE);

            assertRefused(answer, "NewJobRefused", "needs a ticket map [a:b]");
            assertThat(other.name()).isNotEmpty();
        }
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
    void anActiveJobIsReplacedOnlyIfThePolicySaysSo() {
        shop.apply(running(REPLACE));
        shop.awaitActive("db-migrate");

        var refused = edit(running(REPLACE));
        assertRefused(refused, "ReplaceActiveJob", "gitops-interlock.dev/when-active: Replace");

        shop.kubectl("annotate", "namespace", shop.namespace(), "gitops-interlock.dev/when-active=Replace")
                .orFail();
        await("Namespace's policy in effect").until(() -> edit(running(REPLACE)).exitCode() == 0);
        shop.awaitActive("db-migrate");
        assertThat(image()).endsWith(":1.1");
    }

    @ParameterizedTest
    @CsvSource({
        "ReplaceJobWithFinalizer, 'annotations: {}', 'finalizers: [example.com/hold]\n  annotations: {}'",
        "ReplaceJobOfAnotherController, 'spec:\n  template', 'spec:\n  managedBy: example.com/queue\n  template'",
        "ArgoCdHookJobEdit, 'annotations: {', 'annotations: {argocd.argoproj.io/hook: Sync, '"
    })
    void whatOthersHoldIsNotReplaced(String code, String what, String by) {
        var job = policy(policyless(what, by), "on-immutable-change", "Replace");
        if (code.startsWith("Argo")) {
            job = REPLACE.replace(what, by);
        }
        shop.apply(job);
        var uid = shop.uid("db-migrate");

        var answer = shop.kubectlAs("argocd/argocd-application-controller", "apply", "-f", file(edited(job)));

        assertThat(answer.err()).contains(code, "field is immutable");
        assertThat(shop.uid("db-migrate")).isEqualTo(uid);
        shop.kubectl("patch", "job", "db-migrate", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}")
                .orFail();
    }

    private static String policyless(String what, String by) {
        return JOB.replace(what, by);
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
    void aCopyOfAnotherJobIsNotCarriedOut() {
        finished(REPLACE);
        var copy = shop.kubectl("get", "job", "db-migrate", "-o", "yaml")
                .orFail()
                .out()
                .replaceAll("(controller-uid): .*", "$1: 00000000-0000-0000-0000-000000000000");

        assertRefused(shop.kubectl("replace", "-f", file(copy)), "CopiedJobManifest", "spec.selector");
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

    @ParameterizedTest
    @CsvSource({"Replace, Ignore, true", "Ignore, Replace, false"})
    void theNearestPolicyWins(String namespace, String job, boolean plain) {
        shop.kubectl("annotate", "namespace", shop.namespace(), "gitops-interlock.dev/on-immutable-change=" + namespace)
                .orFail();
        var manifest = policy(JOB, "on-immutable-change", job);
        finished(manifest);

        var answer = edit(manifest);

        if (plain) {
            assertPlainKubernetes(answer);
        } else {
            assertThat(answer.orFail().err()).contains("was replaced");
        }
    }

    @Test
    void aSuspendedJobIsActive() {
        var suspended = with(REPLACE, "suspend: true");
        shop.apply(suspended);

        assertRefused(edit(suspended), "ReplaceActiveJob", "field is immutable");
    }

    @Test
    void aHelmHookOfAPersonIsReplaced() {
        var hook = annotated(JOB, "helm.sh/hook: post-install, gitops-interlock.dev/on-immutable-change: Replace");
        finished(hook);

        assertThat(edit(hook).orFail().err()).contains("was replaced");
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
