package dev.gitopsinterlock.system.install;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static dev.gitopsinterlock.testing.text.Manifests.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.CertManager;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Certificates;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pods are replaced, drained and killed on a real Node, and what cert-manager made changes or is lost, under a service at
 * work; docs/operations.md tells of it.
 */
@OnNode
@TestInstance(Lifecycle.PER_CLASS)
class InstallUnderLoadToolsIT {

    private static final String NODE = "node1";
    /** The chart refuses a limit with which nothing starts; this takes more than the least that it allows. */
    private static final String TOO_SMALL = "resources.limits.memory=128Mi,extraEnv[0].name=_JAVA_OPTIONS,"
            + "extraEnv[0].value=-Xms200m -Xmx200m -XX:+AlwaysPreTouch";

    private final Platform platform;
    private final Workspace shop;
    private final Release release;

    InstallUnderLoadToolsIT(Platform platform, @TempDir Path home) {
        this.platform = platform;
        shop = Workspace.in(platform.kubernetes(), "shop");
        release = platform.release(home);
    }

    @BeforeAll
    void install() {
        release.helm(Helm.HELM_4, "install", "--wait", "--timeout", "5m", "--set", "certificates.pollInterval=1s")
                .orFail();
        release.awaitTrusted();
        shop.apply(with(JOB, "suspend: true")); // what is edited need not run
    }

    @BeforeEach
    void awaitGoodState() {
        release.awaitRolledOut();
        awaitWords();
    }

    @AfterAll
    void end() {
        release.close();
    }

    /** By the Deployment controller, as the chart's strategy says, behind the Service's EndpointSlice. */
    @Test
    void noReviewFailsWhilePodsAreReplacedOrDrainedOrWhatIsBelowThemIsKilled() {
        var failOpen = platform.failOpenCount();
        try (var load = Load.on(platform.kubernetes(), shop.namespace(), "db-migrate")) {
            under(load, "both Pods replaced", () -> {
                var before = release.podNames();
                assertThat(before).hasSize(2);
                release.kubectl("rollout", "restart", "deployment/" + Release.NAME)
                        .orFail();
                release.awaitReplaced(before);
            });
            under(load, "an upgrade whose memory limit is too small, and its rollback", () -> {
                release.helm(Helm.HELM_4, "upgrade", "--reuse-values", "--set", TOO_SMALL)
                        .orFail();
                await("killed for its memory")
                        .atMost(Patience.LIMIT)
                        .until(() -> release.kubectl("get", "pods", "-o", "jsonpath={..containerStatuses[*]..reason}")
                                .out()
                                .contains("OOMKilled"));
                release.helm(Helm.HELM_4, "rollback", "--wait", "--timeout", "5m")
                        .orFail();
            });
            under(load, "the only Node drained, on which the budget keeps one Pod", () -> {
                var drain = platform.kubernetes()
                        .kubectl(
                                "drain",
                                NODE,
                                "--pod-selector=app.kubernetes.io/name=" + Release.NAME,
                                "--timeout=15s");
                assertThat(drain.err()).contains("would violate the pod's disruption budget");
                platform.kubernetes().kubectl("uncordon", NODE).orFail();
            });
            for (var name : List.of("kubelet", "containerd")) {
                under(load, name + " killed below Pods that run on", () -> {
                    var pods = release.podNames();
                    var killed = platform.kubernetes().program(name);
                    killed.destroyForcibly();
                    await("it is back")
                            .atMost(Patience.LIMIT)
                            .until(() -> platform.kubernetes().runsAnother(killed, name));
                    assertThat(release.podNames()).isEqualTo(pods);
                });
            }
            assertThat(load.end()).isEmpty();
        }
        assertThat(platform.failOpenCount()).as("reviews without an answer").isEqualTo(failOpen);
    }

    /** What was asked of a replica that dies at once, plain Kubernetes answers, until the Service leaves it out. */
    @Test
    void aKilledReplicaCostsTheAnswersUntilKubernetesNoticesIt() {
        try (var load = Load.on(platform.kubernetes(), shop.namespace(), "db-migrate")) {
            // one of them is the one that the API server asks
            for (var pod : release.podNames()) {
                release.process(pod).destroyForcibly(); // as the kernel does it, which asks nobody
                await("started again")
                        .atMost(Patience.LIMIT)
                        .until(() -> release.kubectl(
                                        "get",
                                        "pod",
                                        pod,
                                        "-o",
                                        "jsonpath={..restartCount} {..containerStatuses[0].ready}")
                                .out()
                                .matches("[1-9] true"));
            }
            int lost = load.failures().size();
            load.awaitMore();
            var failures = load.end();
            System.out.println("install: both replicas killed, one after the other: " + load.words());
            assertThat(failures)
                    .hasSize(lost)
                    .allSatisfy(failure -> assertThat(failure).contains(" 422 ").contains("field is immutable"));
        }
    }

    @Test
    void underFailurePolicyFailNoEditPassesWhileNoReplicaRuns() {
        release.helm(
                        Helm.HELM_4,
                        "upgrade",
                        "--reuse-values",
                        "--wait",
                        "--timeout",
                        "5m",
                        "--set",
                        "jobs.failurePolicy=Fail")
                .orFail();
        release.kubectl("scale", "deployment", Release.NAME, "--replicas=0").orFail();
        await("no answer, so no edit")
                .atMost(Patience.LIMIT)
                .until(this::edit, err -> err.contains("failed calling webhook"));

        release.helm(Helm.HELM_4, "rollback", "--wait", "--timeout", "5m").orFail();
    }

    @Test
    void noReviewFailsWhileLeafAndCaAreRenewed() {
        var failOpen = platform.failOpenCount();
        try (var load = Load.on(platform.kubernetes(), shop.namespace(), "db-migrate")) {
            load.awaitMore();
            for (var certificate : List.of("webhook", "ca", "webhook")) {
                renew(certificate);
                load.awaitMore();
            }
            var failures = load.end();
            System.out.println("install: leaf, CA and leaf renewed by " + CertManager.words() + ": " + load.words());
            assertThat(failures).isEmpty();
        }
        assertThat(platform.failOpenCount()).as("reviews without an answer").isEqualTo(failOpen);
    }

    @Test
    void aDeletedSecretIsMadeAnewAndTheOldPairServesMeanwhile() {
        var failOpen = platform.failOpenCount();
        var serial = secret("tls");
        try (var load = Load.on(platform.kubernetes(), shop.namespace(), "db-migrate")) {
            load.awaitMore();
            release.kubectl("delete", "secret", Release.NAME + "-tls").orFail();
            await("made anew")
                    .atMost(Patience.LIMIT)
                    .until(() -> secret("tls"), made -> !made.isEmpty() && !made.equals(serial));
            awaitServed();
            load.awaitMore();
            var failures = load.end();
            System.out.println("install: Secret deleted and made anew: " + load.words());
            assertThat(failures).isEmpty();
        }
        assertThat(platform.failOpenCount()).as("reviews without an answer").isEqualTo(failOpen);
    }

    /** Ignore is the default: plain Kubernetes answers, and the API server's own metric is the one that tells. */
    @Test
    void whileTheApiServerTrustsAnotherCaPlainKubernetesAnswersUntilItIsToldAnew() {
        var failOpen = platform.failOpenCount();
        platform.certManager().stopInjector();
        try {
            trust(Certificates.pem(Certificates.certificate(
                    Certificates.ec(),
                    Instant.now().minus(1, ChronoUnit.DAYS),
                    Instant.now().plus(1, ChronoUnit.DAYS))));
            await("plain Kubernetes").atMost(Patience.LIMIT).until(this::edit, InstallUnderLoadToolsIT::isPlain);
            assertThat(platform.failOpenCount()).as("reviews without an answer").isGreaterThan(failOpen);
            try (var load = Load.on(platform.kubernetes(), shop.namespace(), "db-migrate")) {
                await("the same under load")
                        .atMost(Patience.LIMIT)
                        .until(() -> !load.failures().isEmpty());
            }
        } finally {
            platform.certManager().startInjector();
        }
        awaitWords();
    }

    /** Pods start with what there is, so that they heal without a restart. */
    @Test
    void podsThatStartWithAnExpiredCertificateServeItUntilThereIsAnother() {
        var failOpen = platform.failOpenCount();
        var before = release.podNames();
        platform.certManager().stopController();
        try {
            var keys = Certificates.ec();
            var expired = Certificates.certificate(
                    keys, Instant.now().minus(2, ChronoUnit.DAYS), Instant.now().minus(1, ChronoUnit.DAYS));
            release.replaceSecret("tls", Certificates.pem(expired), Certificates.pkcs8Pem(keys.getPrivate()));
            release.kubectl("delete", "pods", "--all", "--wait=false").orFail();
            release.awaitReplaced(before);
            release.awaitRolledOut();

            await("plain Kubernetes").atMost(Patience.LIMIT).until(this::edit, InstallUnderLoadToolsIT::isPlain);
            assertThat(platform.failOpenCount()).as("reviews without an answer").isGreaterThan(failOpen);
            assertThat(release.metrics())
                    .hasSize(2)
                    .allSatisfy(text ->
                            assertThat(text).containsPattern("certificate_rejected\\{.*reason=\"expired\".*} 1"));
        } finally {
            platform.certManager().startController();
        }
        var restarted = release.podNames();
        awaitWords();
        assertThat(release.podNames()).isEqualTo(restarted);
    }

    /** A change of trust: for the moment both are trusted, whichever the Pods serve. */
    @Test
    void aCaWithAnotherKeyIsTrustedAsSoonAsTheLeafIsOfIt() {
        var before = secret("ca");
        release.kubectl("delete", "secret", Release.NAME + "-ca").orFail();
        await("another CA")
                .atMost(Patience.LIMIT)
                .until(() -> secret("ca"), made -> !made.isEmpty() && !made.equals(before));
        awaitWords();

        renew("webhook");
        release.awaitTrusted();
        awaitWords();

        var key = Certificates.parse(secret("ca")).getPublicKey();
        assertThat(key).isNotEqualTo(Certificates.parse(before).getPublicKey());
        assertThatCode(() -> Certificates.parse(secret("tls")).verify(key)).doesNotThrowAnyException();
    }

    /** Does it while edits are answered, and says how that went. */
    private void under(Load load, String words, Runnable what) {
        load.awaitMore();
        what.run();
        release.awaitRolledOut();
        load.awaitMore();
        System.out.println("install: " + words + ": " + load.words());
    }

    private void awaitWords() {
        await("our words").atMost(Patience.LIMIT).until(this::edit, err -> err.contains("(field is immutable)"));
    }

    private static boolean isPlain(String err) {
        return err.contains("field is immutable") && !err.contains("(field is immutable)");
    }

    private String edit() {
        return shop.kubectl("apply", "-f", shop.file(edited(JOB))).err();
    }

    /** As {@code cmctl renew} does. */
    private void renew(String certificate) {
        var name = Release.NAME + "-" + certificate;
        var secret = certificate.equals("ca") ? "ca" : "tls";
        var before = secret(secret);
        release.kubectl("patch", "certificate", name, "--subresource=status", "--type=json", "-p", """
                        [{"op": "add", "path": "/status/conditions/-", "value": {"type": "Issuing", "status": "True",
                          "reason": "ManuallyTriggered", "message": "by a test", "lastTransitionTime": "%s"}}]
                        """.formatted(
                                Instant.now().truncatedTo(ChronoUnit.SECONDS)))
                .orFail();
        await(certificate + " renewed")
                .atMost(Patience.LIMIT)
                .until(() -> !secret(secret).equals(before));
        if (secret.equals("tls")) {
            awaitServed();
        }
    }

    /** Its certificate; empty while there is none. */
    private String secret(String name) {
        var entries = release.entries(name);
        return new String(entries.getOrDefault("tls.crt", new byte[0]), StandardCharsets.US_ASCII);
    }

    /** Waits until every Pod has the Secret's certificate. */
    private void awaitServed() {
        var notAfter =
                Certificates.parse(secret("tls")).getNotAfter().toInstant().getEpochSecond();
        await("served")
                .atMost(Patience.LIMIT)
                .pollInterval(Duration.ofSeconds(1)) // which costs the Pods something
                .until(() -> release.metrics().stream()
                        .allMatch(text ->
                                number(text, "gitops_interlock_certificate_expiration_timestamp_seconds(?:\\{[^}]*})?")
                                        == notAfter));
    }

    private static double number(String metrics, String name) {
        var found = Pattern.compile("(?m)^" + name + " (\\S+)").matcher(metrics);
        return found.find() ? Double.parseDouble(found.group(1)) : Double.NaN;
    }

    /** Replaces what cert-manager has written. */
    private void trust(String authority) {
        var bundle = Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.US_ASCII));
        release.replaceTrust(bundle);
    }
}
