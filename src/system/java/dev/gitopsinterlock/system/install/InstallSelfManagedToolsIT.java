package dev.gitopsinterlock.system.install;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Certificates;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chart without cert-manager: two Pods that start at once and keep CA, certificate and caller token themselves, all of
 * which last for seconds here. docs/operations.md tells of it.
 */
@RequiresTools(value = "certmanager", definitions = "certmanager") // which the other tests of this platform need
@ExtendWith(Platform.Extension.class)
class InstallSelfManagedToolsIT {

    private static final String SECRET = "trust";

    private static final String VALUES = String.join(
            ",",
            "jobs.carryOut=true",
            "certificates.mode=selfManaged",
            "certificates.pollInterval=500ms",
            "certificates.selfManaged.overlap=10s",
            "certificates.selfManaged.duration=60s",
            "certificates.selfManaged.caDuration=180s",
            "certificates.selfManaged.callerTokenInterval=20s");

    private final Platform platform;
    private final Workspace shop;
    private final Release release;

    InstallSelfManagedToolsIT(Platform platform, @TempDir Path home) {
        this.platform = platform;
        shop = Workspace.in(platform.kubernetes(), "shop");
        release = platform.release(home);
    }

    @BeforeEach
    void install() {
        release.helm(Helm.HELM_4, "install", "--wait", "--timeout", "5m", "--set", VALUES)
                .orFail();
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        awaitWords();
    }

    @AfterEach
    void end() {
        release.close();
    }

    @Test
    void noReviewFailsWhileSecretCaLeafAndTokenChange() {
        var failOpen = platform.failOpenCount();
        var first = leaf();
        var path = path();
        try (var load = Load.on(platform.kubernetes(), shop.namespace(), "db-migrate")) {
            load.awaitMore();
            release.kubectl("delete", "secret", Release.NAME + "-" + SECRET).orFail();
            await("the Secret is put back")
                    .atMost(Patience.LIMIT)
                    .until(() -> authorities().size() > 1);
            var next = authorities().getLast();
            await("the new CA signs").atMost(Patience.LIMIT).until(() -> isIssuedBy(leaf(), next));
            var ofNext = leaf();
            await("the old CA is forgotten")
                    .atMost(Patience.LIMIT)
                    .until(() -> authorities().equals(List.of(next)));
            await("the leaf is renewed").atMost(Patience.LIMIT).until(() -> !leaf().equals(ofNext));
            await("another token").atMost(Patience.LIMIT).until(() -> !path().equals(path));
            await("the CA's own end is near")
                    .atMost(Patience.LIMIT)
                    .until(() -> authorities().size() > 1);
            var afterNext = authorities().getLast();
            await("it is replaced in time")
                    .atMost(Patience.LIMIT)
                    .until(() -> authorities().equals(List.of(afterNext)));
            assertThat(next.getNotAfter()).isInTheFuture();
            assertThat(isIssuedBy(leaf(), afterNext)).isTrue();
            load.awaitMore();
            System.out.println("install: self-managed Secret, CA, leaf and token changed, and the next CA by its date: "
                    + load.words());
            assertThat(load.failures()).isEmpty();
        }
        assertThat(platform.failOpenCount()).as("reviews without an answer").isEqualTo(failOpen);
        assertThat(leaf()).isNotEqualTo(first);

        shop.onImmutableChange("Replace");
        await("carried out")
                .atMost(Patience.LIMIT)
                .until(() -> shop.kubectl("apply", "-f", shop.file(edited(JOB))).exitCode() == 0);
        assertThat(shop.job("db-migrate").at("/metadata/annotations").has("gitops-interlock.dev/replaced"))
                .isTrue();
    }

    @Test
    void whatSomebodyPutsInThePlaceOfTheCaBundleIsPutRight() {
        var other = Certificates.pem(Certificates.authority(Certificates.ec()));

        release.replaceTrust(Base64.getEncoder().encodeToString(other.getBytes(StandardCharsets.US_ASCII)));

        await("put right")
                .atMost(Patience.LIMIT)
                .until(() -> release.clientConfigs().stream()
                        .noneMatch(client -> decoded(client.path("caBundle")).equals(other)));
        awaitWords();
    }

    /** Helm 4 applies on the server's side, where the paths belong to the Pods that wrote them. */
    @Test
    void itIsUpgradedToCertManagerAndBack() {
        assertThat(release.helm(Helm.HELM_4, "upgrade", "--wait", "--timeout", "5m", "--reset-values")
                        .err())
                .contains("conflict");
        release.helm(Helm.HELM_4, "upgrade", "--wait", "--timeout", "5m", "--reset-values", "--force-conflicts")
                .orFail();
        release.awaitTrusted();
        awaitWords();
        assertThat(path()).isEqualTo("/mutate/jobs");

        release.kubectl("delete", "secret", Release.NAME + "-" + SECRET).orFail();
        release.helm(Helm.HELM_4, "upgrade", "--wait", "--timeout", "5m", "--reset-values", "--set", VALUES)
                .orFail();
        awaitWords();
        await("a token").atMost(Patience.LIMIT).until(() -> path().matches("/mutate/jobs/[0-9a-f]{40}"));
        assertThat(release.clientConfigs())
                .allSatisfy(
                        client -> assertThat(decoded(client.path("caBundle"))).isEqualTo(entry("ca.crt")));
    }

    @Test
    void itMayTouchItsOwnSecretAndConfigurationsOnly() {
        var account = "--as=system:serviceaccount:%s:%s".formatted(release.namespace(), Release.NAME);

        assertThat(mayI(account, "get", "secret/" + Release.NAME + "-" + SECRET))
                .isTrue();
        assertThat(mayI(account, "update", "secret/another")).isFalse();
        assertThat(mayI(account, "patch", "mutatingwebhookconfigurations/zz-" + Release.NAME))
                .isTrue();
        assertThat(mayI(account, "patch", "mutatingwebhookconfigurations/another"))
                .isFalse();
        assertThat(mayI(account, "delete", "mutatingwebhookconfigurations/zz-" + Release.NAME))
                .isFalse();
    }

    private boolean mayI(String account, String verb, String object) {
        return release.kubectl("auth", "can-i", verb, object, account).out().startsWith("yes");
    }

    private void awaitWords() {
        await("our words")
                .atMost(Patience.LIMIT)
                .until(() -> shop.kubectl("apply", "-f", shop.file(edited(JOB)))
                        .err()
                        .contains("(field is immutable)"));
    }

    private String path() {
        return release.clientConfigs().getFirst().at("/service/path").asText();
    }

    private X509Certificate leaf() {
        return certificates("tls.crt").getFirst();
    }

    private List<X509Certificate> authorities() {
        return certificates("ca.crt");
    }

    /** A test that looks while the Secret is deleted sees none. */
    private List<X509Certificate> certificates(String entry) {
        return Certificates.parseAll(entry(entry));
    }

    private String entry(String name) {
        var entries = Node.entries(platform.kubernetes(), release.namespace(), Release.NAME + "-" + SECRET);
        return new String(entries.getOrDefault(name, new byte[0]), StandardCharsets.US_ASCII);
    }

    private static boolean isIssuedBy(X509Certificate leaf, X509Certificate authority) {
        return leaf.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
    }

    private static String decoded(JsonNode base64) {
        return new String(Base64.getDecoder().decode(base64.asText()), StandardCharsets.US_ASCII);
    }
}
