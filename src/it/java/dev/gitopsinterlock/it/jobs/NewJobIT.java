package dev.gitopsinterlock.it.jobs;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.annotated;
import static dev.gitopsinterlock.testing.text.Manifests.policy;
import static dev.gitopsinterlock.testing.text.Manifests.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What new Jobs get, and what a PUT of a manifest does not lose. */
@ExtendWith(Cluster.Extension.class)
class NewJobIT {

    private static final String NAMED = policy(JOB, "generate-name", "true");
    private static final String TTL = policy(JOB, "ttl-seconds-after-finished", "600");

    private final Workspace shop;

    NewJobIT(Cluster cluster) {
        shop = Workspace.in(cluster.controlPlane(), "new");
    }

    @ParameterizedTest
    @CsvSource({"create, kubectl", "apply, kubectl", "apply --server-side, kubectl"})
    void aNewJobGetsTheTtl(String command) {
        shop.kubectl((command + " -f " + shop.file(TTL)).split(" ")).orFail();

        assertThat(shop.job("db-migrate").at("/spec/ttlSecondsAfterFinished").asInt())
                .isEqualTo(600);
    }

    @ParameterizedTest
    @CsvSource({
        "'meta.helm.sh/release-name: shop', -1",
        "'argocd.argoproj.io/tracking-id: shop:batch/Job:NAMESPACE/db-migrate', -1",
        "'argocd.argoproj.io/hook: Sync', 60",
        "'example.com/team: shop', 5"
    })
    void onlyAJobThatNobodyBringsBackGetsTheTtl(String mark, int seconds) {
        shop.apply(annotated(
                JOB,
                mark.replace("NAMESPACE", shop.namespace())
                        + ", gitops-interlock.dev/ttl-seconds-after-finished: '5'"));

        assertThat(shop.job("db-migrate").at("/spec/ttlSecondsAfterFinished").asInt(-1))
                .isEqualTo(seconds);
    }

    @Test
    void aTtlThatTheJobHasStays() {
        shop.apply(with(TTL, "ttlSecondsAfterFinished: 7"));

        assertThat(shop.job("db-migrate").at("/spec/ttlSecondsAfterFinished").asInt())
                .isEqualTo(7);
    }

    @Test
    void thePolicyCanStandOnTheNamespace() {
        shop.kubectl("annotate", "namespace", shop.namespace(), "gitops-interlock.dev/ttl-seconds-after-finished=900")
                .orFail();

        await("Namespace's policy in effect").untilAsserted(() -> {
            shop.kubectl("delete", "job", "db-migrate", "--ignore-not-found").orFail();
            shop.apply(JOB);
            assertThat(shop.job("db-migrate")
                            .at("/spec/ttlSecondsAfterFinished")
                            .asInt())
                    .isEqualTo(900);
        });
    }

    @Test
    void anUpdateGetsNoTtl() {
        shop.apply(JOB);
        shop.apply(TTL);

        assertThat(shop.job("db-migrate").at("/spec").has("ttlSecondsAfterFinished"))
                .isFalse();
    }

    @Test
    void aNameBecomesTheBeginningOfAGeneratedOne() {
        shop.kubectl("create", "-f", shop.file(NAMED)).orFail();
        shop.kubectl("create", "-f", shop.file(NAMED)).orFail();

        assertThat(shop.jobs()).hasSize(2).allSatisfy(name -> assertThat(name).matches("db-migrate-[a-z0-9]{5}"));
    }

    @ParameterizedTest
    @CsvSource({
        "apply --server-side, annotations: {}, annotations: {}, server-side apply needs the name",
        "create, annotations: {, 'annotations: {helm.sh/hook: post-install, ', hooks need their name",
        "create, annotations: {, 'annotations: {meta.helm.sh/release-name: shop, ', the tool that tracks",
        "create, 'metadata:\n      labels: {', 'metadata:\n      labels: {job-name: db-migrate, ', labels carry the name"
    })
    void whereANameMattersItIsKept(String command, String what, String by, String why) {
        var answer = shop.kubectl((command + " -f " + shop.file(NAMED.replace(what, by))).split(" "))
                .orFail();

        assertThat(answer.err()).contains("Warning: use kubectl create for generate-name; the name was kept: ", why);
        assertThat(shop.jobs()).containsExactly("db-migrate");
    }

    @Test
    void aPutOfTheManifestAloneChangesNothing() {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        var before = shop.job("db-migrate");

        shop.kubectl("replace", "-f", shop.file(JOB)).orFail();

        var after = shop.job("db-migrate");
        assertThat(after.path("spec")).isEqualTo(before.path("spec"));
        assertThat(after.at("/metadata/uid")).isEqualTo(before.at("/metadata/uid"));
    }

    @Test
    void aPutChangesWhatMayChange() {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");

        shop.kubectl("replace", "-f", shop.file(with(JOB, "backoffLimit: 2"))).orFail();

        assertThat(shop.job("db-migrate").at("/spec/backoffLimit").asInt()).isEqualTo(2);
    }

    /** Kueue suspends its Jobs; a manifest that does not say so must not start one. */
    @Test
    void aPutDoesNotStartAJobThatKueueHolds() {
        var queued = JOB.replace("labels: {}", "labels: {kueue.x-k8s.io/queue-name: shop}");
        shop.apply(with(queued, "suspend: true"));
        shop.kubectl("wait", "--for=condition=Suspended", "job/db-migrate", "--timeout=300s")
                .orFail();

        shop.kubectl("replace", "-f", shop.file(queued)).orFail();

        assertThat(shop.job("db-migrate").at("/spec/suspend").asBoolean()).isTrue();
    }

    /** Most tools keep a warning to themselves. */
    @Test
    void whatIsToBeSaidAboutANewJobIsAnEventToo() {
        var hook = shop.file(
                annotated(JOB, "argocd.argoproj.io/hook: Sync, argocd.argoproj.io/hook-delete-policy: HookSucceeded"));

        shop.kubectl("create", "-f", hook, "--dry-run=server").orFail();
        var answer = shop.kubectl("create", "-f", hook).orFail();

        var advice = "add BeforeHookCreation to argocd.argoproj.io/hook-delete-policy";
        assertThat(answer.err()).contains("Warning: " + advice);
        await("Event").untilAsserted(() -> assertThat(advice()).containsOnlyOnce(advice));
        assertThat(advice()).contains(shop.uid("db-migrate"));
    }

    @Test
    void aJobThatNothingIsToBeSaidAboutGetsNoEvent() {
        shop.apply(JOB);
        shop.apply(annotated(JOB, "argocd.argoproj.io/hooks: Sync").replace("db-migrate", "other"));

        await("Event on the other").until(() -> advice().contains("Argo CD does not know"));
        assertThat(advice()).doesNotContain("db-migrate");
    }

    /** All Events with it, with the uids of what they are about. */
    private String advice() {
        return shop.kubectl(
                        "get",
                        "events.events.k8s.io",
                        "-o",
                        "jsonpath={range .items[?(@.reason=='LintFinding')]}{.regarding.name} {.regarding.uid} {.note}{'\\n'}{end}")
                .orFail()
                .out();
    }
}
