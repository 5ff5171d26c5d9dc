package dev.gitopsinterlock.system.install;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The chart from its installation to its end, by both Helms, on a real Node with real cert-manager.
 */
@OnNode
class InstallToolsIT {

    private static final String CANARY = Release.NAME + "-test";

    private final Platform platform;
    private final Workspace shop;
    private final Release release;

    InstallToolsIT(Platform platform, @TempDir Path home) {
        this.platform = platform;
        shop = Workspace.in(platform.kubernetes(), "shop");
        release = platform.release(home);
    }

    @AfterEach
    void end() {
        release.close();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void fromItsInstallationToItsEnd(Helm helm) {
        var clusterBefore = platform.clusterObjects();
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");

        release.helm(helm, "install", "--wait", "--timeout", "5m").orFail();

        release.awaitTrusted();
        assertThat(release.clientConfigs())
                .hasSize(5)
                .allSatisfy(client -> assertThat(
                                client.path("service").path("namespace").asText())
                        .isEqualTo(release.namespace()));
        awaitEdit(words());
        assertThat(platform.webhookMetric("apiserver_admission_webhook_admission_duration_seconds_count"))
                .as("what the API server counts")
                .containsPattern("name=\"jobs.gitops-interlock.dev\",operation=\"UPDATE\",rejected=\"true\"");
        assertThat(release.metrics()).as("what the Pods count").anyMatch(text -> text.contains("mutate-jobs"));
        var first = release.podNames();

        var replacing = "jobs.onImmutableChange=Replace,replacement.enabled=true,callerToken=" + Interlock.TOKEN;
        release.helm(helm, "upgrade", "--wait", "--timeout", "5m", "--set", replacing)
                .orFail();
        release.awaitReplaced(first);
        var uid = shop.uid("db-migrate");
        release.awaitTrusted();
        await("carried out").atMost(Patience.LIMIT).until(this::edit, answer -> answer.exitCode() == 0);
        assertThat(shop.uid("db-migrate")).isNotEqualTo(uid);
        shop.awaitComplete("db-migrate");
        var second = release.podNames();

        release.helm(helm, "rollback", "--wait", "--timeout", "5m").orFail();
        release.awaitReplaced(second);
        release.awaitTrusted();
        shop.kubectl("delete", "job", "db-migrate").orFail();
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        awaitEdit(words());

        long begin = platform.auditLength();
        release.helm(helm, "uninstall", "--wait").orFail();

        assertOrder(helm, platform.deletedSince(begin));
        assertThat(platform.clusterObjects()).isEqualTo(clusterBefore);
        awaitEdit(plainKubernetes());
        await("nothing but what cert-manager and the Pods leave")
                .atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(release.objects())
                        .containsExactlyInAnyOrder(
                                "configmap/kube-root-ca.crt",
                                "serviceaccount/default",
                                "secret/gitops-interlock-ca",
                                "secret/gitops-interlock-intent-key",
                                "secret/gitops-interlock-tls"));
    }

    /** Even under {@code Ignore}, where nobody would notice otherwise. */
    @ParameterizedTest(name = "{0}")
    @EnumSource
    void helmTestFindsOutWhetherAnybodyAnswers(Helm helm) {
        release.helm(helm, "install", "--wait", "--timeout", "5m", "--set", "test.afterInstall=true")
                .orFail();
        assertThat(platform.kubernetes().changes().in("default"))
                .as("tried at the end of the installation")
                .anyMatch(change -> change.user().endsWith(release.namespace() + ":" + CANARY));
        release.awaitTrusted();
        release.helm(helm, "test").orFail();
        assertThat(testObjects()).isEmpty();

        release.kubectl("scale", "deployment", Release.NAME, "--replicas=0").orFail();
        release.kubectl("wait", "--for=delete", "pods", "--all", "--timeout=5m").orFail();
        assertTestFails(helm);

        release.deleteRegistrations();
        assertTestFails(helm);
    }

    private void assertTestFails(Helm helm) {
        assertThat(release.helm(helm, "test").exitCode()).isNotZero();
        assertThat(release.kubectl("logs", CANARY).out()).contains("got the API server's own words");
    }

    private Set<String> testObjects() {
        return Stream.of(release.namespace(), "default")
                .flatMap(namespace -> platform.objects(namespace).stream())
                .filter(object -> object.endsWith("/" + CANARY))
                .collect(toSet());
    }

    /** Nobody answers any more, and Jobs may not pass without an answer: even then it can be taken away. */
    @ParameterizedTest(name = "{0}")
    @EnumSource
    void deadPodsDoNotKeepItFromBeingUninstalled(Helm helm) {
        var clusterBefore = platform.clusterObjects();
        release.helm(
                        helm,
                        "install",
                        "--wait",
                        "--timeout",
                        "5m",
                        "--set",
                        "jobs.failurePolicy=Fail,machineConfigs.failurePolicy=Fail")
                .orFail();
        release.awaitTrusted();
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        awaitEdit(words());

        release.losePower();
        await("nobody answers")
                .atMost(Patience.LIMIT)
                .until(() -> edit().err(), err -> err.contains("failed calling webhook"));
        release.helm(helm, "uninstall").orFail();

        assertThat(platform.clusterObjects()).isEqualTo(clusterBefore);
        awaitEdit(plainKubernetes());
        release.regainPower();
        await("Pods gone").atMost(Patience.LIMIT).until(() -> release.podNames().isEmpty());
    }

    /**
     * Helm 3 deletes registrations last: for a moment nobody is there whom they name. Under {@code Ignore} that is plain
     * Kubernetes a moment early; for {@code Fail} docs/operations.md says what to delete before.
     */
    private static void assertOrder(Helm helm, List<Platform.Deletion> deletions) {
        var registrations = List.of("validatingwebhookconfigurations", "mutatingwebhookconfigurations");
        var kinds = deletions.stream().map(Platform.Deletion::resource).toList();
        int service = kinds.indexOf("services");
        int registration = Math.max(kinds.indexOf(registrations.getFirst()), kinds.indexOf(registrations.getLast()));
        System.out.printf(
                "install: %s deletes the last registration %d ms after the Service%n",
                helm,
                Duration.between(
                                deletions.get(service).time(),
                                deletions.get(registration).time())
                        .toMillis());
        if (helm == Helm.HELM_3) {
            assertThat(registration).as("the last registration in %s", kinds).isGreaterThan(service);
        } else {
            assertThat(kinds).startsWith(registrations.toArray(String[]::new));
        }
    }

    private Command.Result edit() {
        return shop.kubectl("apply", "-f", shop.file(edited(JOB)));
    }

    /** The API server takes a moment to see what has changed about registrations. */
    private void awaitEdit(List<String> wanted) {
        await("an edit gets " + wanted)
                .atMost(Patience.LIMIT)
                .until(
                        this::edit,
                        answer -> answer.exitCode() != 0
                                && wanted.stream().allMatch(answer.err()::contains)
                                && (wanted.equals(words()) || !answer.err().contains("(field is immutable)")));
    }

    private static List<String> words() {
        return List.of("(field is immutable) KubectlApplyJobEdit");
    }

    private static List<String> plainKubernetes() {
        return List.of("Invalid value", "field is immutable");
    }
}
