package dev.gitopsinterlock.system.install;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Certificates;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The chart without cert-manager: two Pods that start at once and keep CA, certificate and caller token themselves, all of
 * which last for seconds here. docs/operations.md tells of it.
 */
@OnNode
class InstallSelfManagedToolsIT {

    private static final String SECRET = "trust";

    private static final Path CLOCK_FOLDER = Path.of("/usr/lib/x86_64-linux-gnu/faketime");

    /** Debian's libfaketime, of the two variants the quicker one: a process that loads it first has another clock. */
    private static final Path CLOCK = CLOCK_FOLDER.resolve("libfaketime.so.1");

    private static final Duration LEAF = Duration.ofSeconds(60);

    private static final String VALUES = String.join(
            ",",
            "replacement.enabled=true",
            "certificates.mode=selfManaged",
            "certificates.pollInterval=500ms",
            "certificates.selfManaged.overlap=10s",
            "certificates.selfManaged.duration=" + LEAF.toSeconds() + "s",
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
            var failures = load.end();
            System.out.println("install: self-managed Secret, CA, leaf and token changed, and the next CA by its date: "
                    + load.words());
            assertThat(failures).isEmpty();
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

    /**
     * 400 days off is more than the API server's own certificate lasts: such a Pod trusts nobody, is never ready, and changes
     * nothing. Two hours ahead is far beyond the end of every certificate here, and the API server's clock counts. Single
     * edits, as certificates that last for seconds leave no room for a machine that is busy: what counts is that such Pods
     * are trusted, and that what they make ends when it should.
     */
    @Test
    void podsWhoseClocksAreWrongBreakNothing() {
        assumeTrue(
                Files.exists(CLOCK), "no clock is wrong: Debian's libfaketime is missing (apt-get install faketime)");
        var others = release.podNames();
        for (int days : List.of(400, -400)) {
            upgrade("%+dd".formatted(days)).orFail();
            await("a Pod whose clock is %d days off".formatted(days))
                    .atMost(Patience.LIMIT)
                    .until(() -> release.podNames().stream()
                            .filter(pod -> !others.contains(pod))
                            .map(this::log)
                            .anyMatch(log -> log.contains("no API server trusts what is served yet")
                                    && isOff(log, Duration.ofDays(days))));
            assertThat(edit()).contains("(field is immutable)");
            assertThat(release.podNames()).containsAll(others);
        }

        var before = release.podNames();
        upgrade("+2h", "--wait", "--timeout", "5m").orFail();
        release.awaitReplaced(before);
        assertThat(release.podNames()).hasSize(2).allMatch(pod -> isOff(log(pod), Duration.ofHours(2)));
        awaitWords();
        var first = leaf();
        await("they renew").atMost(Patience.LIMIT).until(() -> !leaf().equals(first));
        assertThat(leaf().getNotAfter().toInstant())
                .isBetween(Instant.now(), Instant.now().plus(LEAF));
        awaitWords();
    }

    private String log(String pod) {
        return release.kubectl("logs", pod).out();
    }

    /** Whether its clock is wrong by so much, as far as the lines of its log tell. */
    private static boolean isOff(String log, Duration offset) {
        return log.lines()
                .filter(line -> line.matches("\\d{4}-.*"))
                .map(line -> Instant.parse(line.substring(0, line.indexOf(' '))))
                .map(said -> Duration.between(Instant.now().plus(offset), said).abs())
                .allMatch(difference -> difference.compareTo(Duration.ofMinutes(30)) < 0);
    }

    /** The clock that only goes forward is ahead, too: without that, each look at either costs a lock and system calls. */
    private Command.Result upgrade(String clock, String... flags) {
        var variables = List.of(
                "extraEnv[0].name=LD_PRELOAD",
                "extraEnv[0].value=" + CLOCK,
                "extraEnv[1].name=FAKETIME",
                "extraEnv[1].value=" + clock,
                // the AOT cache knows the times of its files
                "extraEnv[2].name=NO_FAKE_STAT",
                "extraEnv[2].value=1",
                "extraVolumes[0].name=clock",
                "extraVolumes[0].hostPath.path=" + CLOCK_FOLDER,
                "extraVolumeMounts[0].name=clock",
                "extraVolumeMounts[0].mountPath=" + CLOCK_FOLDER);
        var all = Stream.concat(
                Stream.of("--set", VALUES, "--set-string", String.join(",", variables)), Stream.of(flags));
        return release.helm(Helm.HELM_4, "upgrade", all.toArray(String[]::new));
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
                        // the CA of before may be beside it for a while
                        client -> assertThat(decoded(client.path("caBundle"))).contains(entry("ca.crt")));
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
        await("our words").atMost(Patience.LIMIT).until(() -> edit().contains("(field is immutable)"));
    }

    private String edit() {
        return shop.kubectl("apply", "-f", shop.file(edited(JOB))).err();
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
        var entries = release.entries(SECRET);
        return new String(entries.getOrDefault(name, new byte[0]), StandardCharsets.US_ASCII);
    }

    private static boolean isIssuedBy(X509Certificate leaf, X509Certificate authority) {
        return leaf.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
    }

    private static String decoded(JsonNode base64) {
        return new String(Base64.getDecoder().decode(base64.asText()), StandardCharsets.US_ASCII);
    }
}
