package dev.gitopsinterlock.it.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
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

/** Job edits by the clients that people use, on the real API server: what they are told, and what is left alone. */
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
        "KubectlApplyJobEdit, apply --dry-run=server",
        "KubectlServerSideApplyJobEdit, apply --server-side --force-conflicts --dry-run=server",
        "KubectlApplyJobEdit, diff",
        "HelmJobEdit, apply --server-side --force-conflicts --field-manager=helm",
        "HelmForceJobEdit, replace --field-manager=helm",
        "KappJobEdit, apply --field-manager=kapp-server-side-fieldmanager",
        "JobEdit, apply --field-manager=my-pipeline"
    })
    void editIsRefusedInTheWordsOfTheClient(String code, String command) {
        create(JOB);
        var uid = uid();

        var answer = kubectl((command + " -f " + edited(JOB)).split(" "));

        assertRefused(answer, code, "spec.template.spec.containers[0].image");
        assertThat(uid()).isEqualTo(uid);
    }

    @ParameterizedTest(name = "{0}: {2} by {1}")
    @CsvSource({
        "ArgoCdJobEdit, argocd/argocd-application-controller, apply --field-manager=argocd-controller",
        "ArgoCdServerSideApplyJobEdit, argocd/argocd-application-controller,"
                + " apply --server-side --force-conflicts --field-manager=argocd-controller",
        "ArgoCdReplaceWithoutForce, argocd/argocd-application-controller, replace",
        "ArgoCdJobEdit, openshift-gitops/openshift-gitops-argocd-application-controller,"
                + " apply --field-manager=argocd-controller",
        "ArgoCdJobEdit, kube-system/argocd-manager, apply --field-manager=argocd-controller",
        "ArgoCdJobEdit, shop-team/deployer, apply --field-manager=argocd-controller",
        "FluxKustomizationJobEdit, flux-system/kustomize-controller,"
                + " apply --server-side --force-conflicts --field-manager=kustomize-controller",
        "FluxHelmReleaseJobEdit, flux-system/helm-controller,"
                + " apply --server-side --force-conflicts --field-manager=helm-controller",
        "FleetJobEdit, cattle-fleet-system/fleet-agent,"
                + " apply --server-side --force-conflicts --field-manager=fleetagent"
    })
    void editOfAToolIsRefusedInItsWords(String code, String account, String command) {
        create(JOB);
        awaitRunning();

        var answer = kubectlAs(account, (command + " -f " + edited(JOB)).split(" "));

        assertRefused(answer, code, "spec.template.spec.containers[0].image");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set image job/db-migrate migrate=registry.example/migrate:1.1",
                "patch job db-migrate --type=strategic -p {\"spec\":{\"template\":{\"spec\":{\"containers\":"
                        + "[{\"name\":\"migrate\",\"image\":\"registry.example/migrate:1.1\"}]}}}}",
                "patch job db-migrate --type=json -p [{\"op\":\"replace\",\"path\":"
                        + "\"/spec/template/spec/containers/0/image\",\"value\":\"registry.example/migrate:1.1\"}]"
            })
    void liveEditIsRefused(String command) {
        create(JOB);

        var answer = kubectl(command.split(" "));

        assertRefused(answer, "KubectlLiveJobEdit", "spec.template.spec.containers[0].image");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "ArgoCdOwnedJobEdit, annotations: {argocd.argoproj.io/tracking-id: 'shop:batch/Job:NAMESPACE/db-migrate'}",
        "FluxOwnedJobEdit, labels: {kustomize.toolkit.fluxcd.io/name: shop}",
        "FluxOwnedJobEdit, labels: {helm.toolkit.fluxcd.io/name: shop}",
        "HelmOwnedJobEdit, annotations: {meta.helm.sh/release-name: shop}",
        "KappOwnedJobEdit, labels: {kapp.k14s.io/app: shop}"
    })
    void editOfAnOwnedJobPointsToItsSource(String code, String mark) {
        var job = marked(JOB, mark);
        create(job);

        var answer = kubectl("apply", "-f", edited(job));

        assertRefused(answer, code, "spec.template.spec.containers[0].image");
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"spec\":{\"parallelism\":2}}",
                "{\"spec\":{\"backoffLimit\":1}}",
                "{\"spec\":{\"activeDeadlineSeconds\":600}}",
                "{\"spec\":{\"ttlSecondsAfterFinished\":600}}",
                "{\"spec\":{\"suspend\":true}}",
                "{\"metadata\":{\"labels\":{\"team\":\"shop\"}}}",
                "{\"metadata\":{\"annotations\":{\"argocd.argoproj.io/tracking-id\":\"x\"}}}",
                "{\"metadata\":{\"finalizers\":[]}}"
            })
    void whatKubernetesAllowsGoesThrough(String patch) {
        create(JOB);

        kubectl("patch", "job", "db-migrate", "--type=merge", "-p", patch).orFail();
    }

    @Test
    void anElasticIndexedJobIsResizedAndOneSidedResizingIsExplained() {
        create(JOB.replace(
                "spec:\n  template",
                "spec:\n  completions: 2\n  parallelism: 2\n  completionMode: Indexed\n  template"));

        kubectl("patch", "job", "db-migrate", "--type=merge", "-p", "{\"spec\":{\"completions\":3,\"parallelism\":3}}")
                .orFail();
        var oneSided = kubectl("patch", "job", "db-migrate", "--type=merge", "-p", "{\"spec\":{\"completions\":4}}");

        assertThat(oneSided.err()).contains("CompletionsWithoutParallelism", "spec.completions");
    }

    /** What Kueue does: it fills in scheduling directives of a suspended Job and starts it in one request. */
    @Test
    void schedulingDirectivesOfASuspendedJobGoThrough() {
        create(JOB.replace("spec:\n  template", "spec:\n  suspend: true\n  template"));
        // before its controller has said so, 1.36 refuses them
        kubectl("wait", "--for=condition=Suspended", "job/db-migrate", "--timeout=300s")
                .orFail();

        kubectl("patch", "job", "db-migrate", "--type=merge", "-p", """
                        {"spec": {"suspend": false, "template": {
                          "metadata": {"labels": {"kueue.x-k8s.io/podset": "main"}},
                          "spec": {"nodeSelector": {"pool": "spot"},
                                   "tolerations": [{"key": "spot", "operator": "Exists"}]}}}}
                        """).orFail();
    }

    @Test
    void otherFieldsOfASuspendedJobAreRefused() {
        create(JOB.replace("spec:\n  template", "spec:\n  suspend: true\n  template"));

        var answer = kubectl("apply", "-f", edited(JOB));

        assertRefused(answer, "KubectlApplyJobEdit", "spec.template.spec.containers[0].image");
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
    void aTerminatingJobIsLeftAlone() {
        create(JOB.replace("annotations: {}", "finalizers: [example.com/hold]"));
        kubectl("delete", "job", "db-migrate", "--wait=false").orFail();

        var answer = kubectl("set", "image", "job/db-migrate", "migrate=registry.example/migrate:1.1");
        kubectl("patch", "job", "db-migrate", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}")
                .orFail();

        assertPlainKubernetes(answer);
    }

    @Test
    void aCronJobsChildIsLeftAlone() {
        kubectl("create", "cronjob", "nightly", "--image=registry.example/migrate:1.0", "--schedule=0 3 * * *")
                .orFail();
        kubectl("create", "job", "db-migrate", "--from=cronjob/nightly").orFail();

        var answer = kubectl("set", "image", "job/db-migrate", "nightly=registry.example/migrate:1.1");

        assertPlainKubernetes(answer);
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
    void theJobsAnnotationTurnsUsOff() {
        var job = marked(JOB, "annotations: {gitops-interlock.dev/on-immutable-change: Ignore}");
        create(job);

        assertPlainKubernetes(kubectl("apply", "-f", edited(job)));
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
    void anUnknownPolicyIsWarnedAboutAndTheNextLevelHolds() {
        var job = marked(JOB, "annotations: {gitops-interlock.dev/on-immutable-change: Rejcet}");
        var warning = "Warning: use Reject, Warn, Preview, Replace, GenerateName or Ignore for"
                + " on-immutable-change on the Job; Rejcet is unknown";

        var created = kubectl("apply", "-f", kubernetes.file(job));
        var refused = kubectl("apply", "-f", edited(job));

        assertThat(created.orFail().err()).contains(warning);
        assertThat(refused.err()).contains(warning, "KubectlApplyJobEdit");
    }

    /** The finalizer that Argo CD puts on its hooks is taken off by a PUT of the live object. */
    @Test
    void aPutOfTheLiveObjectWithoutItsFinalizerGoesThrough() {
        create(JOB.replace("annotations: {}", "finalizers: [argocd.argoproj.io/hook-finalizer]"));
        // the Job controller may write its status in between
        await("a PUT of what is there").atMost(Patience.LIMIT).untilAsserted(() -> {
            var live =
                    kubectl("get", "job", "db-migrate", "-o", "yaml").orFail().out();
            kubectlAs(
                            "argocd/argocd-application-controller",
                            "replace",
                            "-f",
                            kubernetes.file(live.replaceAll("  finalizers:\\R  - .*\\R", "")))
                    .orFail();
        });

        assertThat(kubectl("get", "job", "db-migrate", "-o", "jsonpath={.metadata.finalizers}")
                        .out())
                .isEmpty();
    }

    @Test
    void anHookWithoutBeforeHookCreationIsToldSo() {
        var hook = marked(
                JOB,
                "annotations: {argocd.argoproj.io/hook: PostSync, argocd.argoproj.io/hook-delete-policy: HookSucceeded}");
        create(hook);

        var answer = kubectlAs(
                "argocd/argocd-application-controller",
                "apply",
                "--field-manager=argocd-controller",
                "-f",
                edited(hook));

        assertRefused(answer, "ArgoCdHookJobEdit", "spec.template.spec.containers[0].image");
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
