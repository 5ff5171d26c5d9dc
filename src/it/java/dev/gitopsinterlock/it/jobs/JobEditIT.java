package dev.gitopsinterlock.it.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Manifests;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Job edits by the clients that people use, on the real API server: what they are told, and what is left alone. Each tool
 * and each owner is a case in src/test/resources/reviews/jobs.
 */
@ExtendWith(Cluster.Extension.class)
class JobEditIT {

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private static final String JOB = Manifests.running(Manifests.JOB);

    private final ControlPlane kubernetes;
    private final String namespace = "edits-" + NAMESPACES.incrementAndGet();

    JobEditIT(Cluster cluster) {
        kubernetes = cluster.controlPlane();
    }

    @BeforeEach
    void makeNamespace() {
        kubernetes.createNamespace(namespace);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "KubectlApplyJobEdit, apply",
        "KubectlServerSideApplyJobEdit, apply --server-side --force-conflicts",
        "KubectlReplaceJobEdit, replace",
        "KubectlApplyJobEdit, diff"
    })
    void editIsRefusedInTheWordsOfTheClient(String code, String command) {
        create(JOB);
        var uid = uid();

        var answer = kubectl((command + " -f " + edited(JOB)).split(" "));

        assertRefused(answer, code, "spec.template.spec.containers[0].image");
        assertThat(uid()).isEqualTo(uid);
    }

    /** The second shows on any cluster whether anybody answers. */
    @ParameterizedTest
    @ValueSource(strings = {"migrate=registry.example/migrate:1.1", "*=none --dry-run=server"})
    void liveEditIsRefused(String edit) {
        create(JOB);

        var answer = kubectl(("set image job/db-migrate " + edit).split(" "));

        assertRefused(answer, "KubectlLiveJobEdit", "spec.template.spec.containers[0].image");
    }

    @Test
    void editOfAnOwnedJobPointsToItsSource() {
        var job = marked(JOB, "annotations: {argocd.argoproj.io/tracking-id: 'shop:batch/Job:NAMESPACE/db-migrate'}");
        create(job);

        var answer = kubectl("apply", "-f", edited(job));

        assertRefused(answer, "ArgoCdOwnedJobEdit", "spec.template.spec.containers[0].image");
    }

    @Test
    void everyFieldThatCannotChangeIsNamedInOrder() {
        create(JOB);
        var edit = JOB.replace("migrate:1.0", "migrate:1.1")
                .replace("restartPolicy: Never", "restartPolicy: OnFailure")
                .replace("spec:\n  template", "spec:\n  completions: 3\n  completionMode: Indexed\n  template");

        var answer = kubectl("apply", "-f", kubernetes.file(edit));

        assertThat(answer.err())
                .containsSubsequence(
                        "* spec.completions: ",
                        "* spec.template.spec.containers[0].image: field is immutable",
                        "* spec.template.spec.restartPolicy: field is immutable",
                        "* spec.completionMode: field is immutable");
    }

    @Test
    void refusalIsAn422OfReasonInvalidWithMessageAndCauses() {
        create(JOB);

        assertThatThrownBy(() -> kubernetes
                        .admin()
                        .batch()
                        .v1()
                        .jobs()
                        .inNamespace(namespace)
                        .withName("db-migrate")
                        .patch("{\"spec\":{\"template\":{\"spec\":{\"serviceAccountName\":\"other\"}}}}"))
                .asInstanceOf(type(KubernetesClientException.class))
                .satisfies(refusal -> {
                    var status = refusal.getStatus();
                    assertThat(status.getCode()).isEqualTo(422);
                    assertThat(status.getReason()).isEqualTo("Invalid");
                    assertThat(status.getMessage())
                            .startsWith("admission webhook \"jobs.gitops-interlock.dev\" denied the request: ")
                            .contains("field is immutable: spec.template.spec.serviceAccountName. ")
                            .doesNotContain("map[", "\n");
                    assertThat(status.getDetails().getGroup()).isEqualTo("batch");
                    assertThat(status.getDetails().getName()).isEqualTo("db-migrate");
                    assertThat(status.getDetails().getCauses())
                            .singleElement()
                            .satisfies(cause ->
                                    assertThat(cause.getField()).isEqualTo("spec.template.spec.serviceAccountName"));
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"apply --force", "replace --force"})
    void forceStillDeletesAndCreates(String command) {
        create(JOB);
        var uid = uid();

        kubectl((command + " -f " + edited(JOB)).split(" ")).orFail();

        assertThat(uid()).isNotEqualTo(uid);
        assertThat(image()).isEqualTo("registry.example/migrate:1.1");
    }

    @Test
    void whatKubernetesAllowsGoesThrough() {
        create(JOB);

        kubectl("patch", "job", "db-migrate", "--type=merge", "-p", """
                        {"metadata": {"labels": {"team": "shop"}, "finalizers": [],
                                      "annotations": {"argocd.argoproj.io/tracking-id": "x"}},
                         "spec": {"parallelism": 2, "backoffLimit": 1, "activeDeadlineSeconds": 600,
                                  "ttlSecondsAfterFinished": 600, "suspend": true}}
                        """).orFail();
    }

    @Test
    void jobAndGarbageCollectorRunAsEver() {
        create(JOB.replace("outcome: run", "outcome: succeed")
                .replace("spec:\n  template", "spec:\n  ttlSecondsAfterFinished: 2\n  template"));

        kubectl("wait", "--for=condition=Complete", "job/db-migrate", "--timeout=300s")
                .orFail();
        kubectl("wait", "--for=delete", "job/db-migrate", "--timeout=300s").orFail();
    }

    @Test
    void foregroundDeletionEnds() {
        create(JOB);

        kubectl("delete", "job", "db-migrate", "--cascade=foreground", "--timeout=300s")
                .orFail();
    }

    @Test
    void aCopyOfAnotherJobIsRecognised() {
        create(JOB);
        awaitRunning();
        var copy = kubectl("get", "job", "db-migrate", "-o", "yaml")
                .orFail()
                .out()
                .replaceAll("(controller-uid): .*", "$1: 00000000-0000-0000-0000-000000000000");

        var answer = kubectl("replace", "-f", kubernetes.file(copy));

        assertThat(answer.err()).contains("CopiedJobManifest");
    }

    @Test
    void theNamespacesAnnotationTurnsUsOffAndTheJobsTurnsUsOn() {
        annotateNamespace("Ignore");
        create(JOB);
        await("namespace policy in effect")
                .untilAsserted(() -> assertPlainKubernetes(kubectl("apply", "-f", edited(JOB))));

        var on = marked(edit(JOB), "annotations: {gitops-interlock.dev/on-immutable-change: Reject}");

        assertRefused(
                kubectl("apply", "-f", kubernetes.file(on)),
                "KubectlApplyJobEdit",
                "spec.template.spec.containers[0].image");
    }

    @Test
    void aGeneratedNameIsCreatedWithoutAWordUnlessArgoCdSendsIt() {
        var generated = kubernetes.file(JOB.replace("name: db-migrate", "generateName: job-test-"));

        assertThat(kubectl("create", "-f", generated).orFail().err()).isEmpty();
        assertThat(kubectlAs("argocd/argocd-application-controller", "create", "-f", generated)
                        .orFail()
                        .err())
                .startsWith("Warning: ");
    }

    private Command.Result kubectl(String... arguments) {
        return kubernetes.kubectl(inNamespace(arguments));
    }

    /** The account as namespace/name. */
    private Command.Result kubectlAs(String account, String... arguments) {
        var parts = account.split("/", 2);
        return kubernetes.kubectlAs(parts[0], parts[1], inNamespace(arguments));
    }

    private String[] inNamespace(String... arguments) {
        var all = new ArrayList<>(List.of("-n", namespace));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }

    private void create(String job) {
        kubectl("apply", "-f", kubernetes.file(job)).orFail();
    }

    private String edited(String job) {
        return kubernetes.file(edit(job));
    }

    private static String edit(String job) {
        return job.replace("migrate:1.0", "migrate:1.1");
    }

    /** The Job with a label or an annotation, given as {@code labels: {...}} or {@code annotations: {...}}. */
    private String marked(String job, String mark) {
        return job.replace(mark.substring(0, mark.indexOf(' ')) + " {}", mark.replace("NAMESPACE", namespace));
    }

    /** A PUT meets a conflict, with us or without, while the status is being written. */
    private void awaitRunning() {
        kubectl("wait", "--for=jsonpath={.status.ready}=1", "job/db-migrate", "--timeout=300s")
                .orFail();
    }

    private void annotateNamespace(String policy) {
        kubernetes
                .kubectl("annotate", "namespace", namespace, "gitops-interlock.dev/on-immutable-change=" + policy)
                .orFail();
    }

    private String uid() {
        return kubectl("get", "job", "db-migrate", "-o", "jsonpath={.metadata.uid}")
                .orFail()
                .out();
    }

    private String image() {
        return kubectl("get", "job", "db-migrate", "-o", "jsonpath={.spec.template.spec.containers[0].image}")
                .orFail()
                .out();
    }

    private static void assertRefused(Command.Result answer, String code, String field) {
        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err())
                // the end of the message, or of the cause that has the advice: kubectl shows one or the other
                .containsPattern("[.)] " + code + "\\R")
                .contains(field, "field is immutable")
                .doesNotContain("map[", "Invalid value");
    }

    private static void assertPlainKubernetes(Command.Result answer) {
        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err())
                .contains("Invalid value", "field is immutable")
                .doesNotContain("(field is immutable)", "denied the request");
    }
}
