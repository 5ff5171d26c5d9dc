package dev.gitopsinterlock.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.certificate.PairReading.Unusable;
import dev.gitopsinterlock.certificate.PairReading.Usable;
import dev.gitopsinterlock.certificate.ServingCertificate;
import dev.gitopsinterlock.cluster.api.FakeTrustServer;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.testing.review.SampleSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one replica and two make of what they find; the rules are those of {@link Renewal}. */
class SelfManagedTrustTest {

    private final FakeTrustServer server = new FakeTrustServer();
    private final CallerTokens tokens = new CallerTokens();
    private final SelfManagedTrust trust = replica(Duration.ZERO, tokens);

    private SelfManagedTrust replica(Duration clockAhead, CallerTokens accepted) {
        var settings = SampleSettings.keeping(RenewalTest.settings(List.of("interlock.example.svc"), true));
        var clock = new Ahead(clockAhead);
        var api = new KubernetesApi(server, clock);
        return new SelfManagedTrust(settings, () -> api, clock, accepted);
    }

    private final class Ahead implements ProcessClock {
        private final Duration ahead;

        Ahead(Duration ahead) {
            this.ahead = ahead;
        }

        @Override
        public Instant now() {
            return server.now().plus(ahead);
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public void pause(Duration time) {
            throw new AssertionError("nobody waits");
        }
    }

    private static ServingCertificate served(SelfManagedTrust replica) {
        assertThat(replica.read()).isInstanceOf(Usable.class);
        return ((Usable) replica.read()).pair();
    }

    @Test
    void nobodyIsAskedBeforeThePortOpens() {
        server.keepSilent(true);

        assertThat(trust.first()).isInstanceOf(Usable.class);
        assertThat(trust.isKept()).isFalse();
    }

    @Test
    void theApiServerIsToldOfCaAndToken() {
        var served = served(trust);

        var bundle = decoded(server.webhook(0).at("/clientConfig/caBundle").asText());
        assertThat(bundle).isEqualTo(decoded(server.data().path("ca.crt").asText()));
        assertThat(bundle).containsOnlyOnce("BEGIN CERTIFICATE");
        assertThat(TrustSecret.read(server.data())
                        .orElseThrow()
                        .authorities()
                        .getFirst()
                        .issued(served.leaf()))
                .isTrue();
        var path = server.webhook(0).at("/clientConfig/service/path").asText();
        assertThat(path).startsWith("/mutate/jobs/");
        assertThat(tokens.isAccepted(path.substring("/mutate/jobs/".length()).getBytes(UTF_8)))
                .isTrue();
        assertThat(server.webhook(1).at("/clientConfig").has("caBundle")).isFalse();
        assertThat(trust.isKept()).isTrue();
        assertThat(trust.isPublished()).isTrue();
    }

    @Test
    void ofTwoThatStartAtOnceOneTakesOverWhatTheOtherWrote() {
        var second = replica(Duration.ZERO, new CallerTokens());
        server.beforeNextWrite(() -> assertThat(second.read()).isInstanceOf(Usable.class));

        assertThat(served(trust)).isEqualTo(served(second));
        assertThat(TrustSecret.read(server.data()).orElseThrow().authorities()).hasSize(1);
    }

    @Test
    void aDeletedSecretIsPutBackWithACaThatTakesOver() {
        var served = served(trust);
        server.deleteSecret();

        assertThat(served(trust)).isEqualTo(served);
        var authorities = TrustSecret.read(server.data()).orElseThrow().authorities();
        assertThat(authorities).hasSize(2);
        assertThat(authorities.getFirst().issued(served.leaf())).isTrue();

        server.moveTo(server.now().plus(Duration.ofHours(1)));
        assertThat(authorities.getLast().issued(served(trust).leaf())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no base64 %%%",
                "bm8gUEVN", // no PEM
                "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCiUlJSUKLS0tLS1FTkQgUFJJVkFURSBLRVktLS0tLQo=", // PEM of %%%%
                "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCkFBQUEKLS0tLS1FTkQgUFJJVkFURSBLRVktLS0tLQo=", // PEM of no key
                ""
            })
    void whatNobodyCanReadIsPutBackToo(String key) {
        var served = served(trust);
        ObjectNode data = server.data().deepCopy();
        server.overwriteSecret(data.put("ca.key", key).toString());

        assertThat(served(trust)).isEqualTo(served);
        assertThat(TrustSecret.read(server.data())).isPresent();
    }

    @Test
    void aCaBundleThatIsTakenAwayIsPutBack() {
        served(trust);
        var before = server.webhook(0).at("/clientConfig/caBundle");
        server.resetConfiguration();

        served(trust);

        assertThat(server.webhook(0).at("/clientConfig/caBundle")).isEqualTo(before);
    }

    @Test
    void aClockThatIsWrongRenewsNothing() {
        var served = served(trust);

        assertThat(served(replica(Duration.ofDays(400), new CallerTokens()))).isEqualTo(served);
        assertThat(served(replica(Duration.ofDays(-400), new CallerTokens()))).isEqualTo(served);
    }

    @Test
    void whileTheApiServerIsSilentItSaysSoAndServesOn() {
        served(trust);
        server.keepSilent(true);

        assertThat(trust.read())
                .isInstanceOfSatisfying(
                        Unusable.class,
                        reading -> assertThat(reading.detail())
                                .isEqualTo(
                                        "Secret gitops-interlock/trust could not be read or written: the API server does not"
                                                + " answer"));
        assertThat(trust.isKept()).isTrue();
    }

    @Test
    void withoutTheRightToPatchItSaysSoAndNoNewCaSigns() {
        served(trust);
        server.refusePatches(403);
        server.resetConfiguration();
        server.moveTo(server.now().plus(Duration.ofHours(33)));
        served(trust);
        server.moveTo(server.now().plus(Duration.ofHours(2)));

        var served = served(trust);

        assertThat(trust.isPublished()).isFalse();
        var authorities = TrustSecret.read(server.data()).orElseThrow().authorities();
        assertThat(authorities).hasSize(2);
        assertThat(authorities.getFirst().issued(served.leaf())).isTrue();
        server.refusePatches(0);
        served(trust);
        assertThat(trust.isPublished()).isTrue();
    }

    @Test
    void whatSomebodyElsePatchedFirstIsAProblemOnlyIfItGoesOn() {
        server.refusePatches(422);

        trust.read();
        assertThat(trust.isPublished()).isTrue();
        trust.read();
        assertThat(trust.isPublished()).isFalse();
        trust.read();
        assertThat(trust.isPublished()).isFalse();
    }

    @Test
    void untilThereIsAPairThatIsTrustedItLooksSoon() {
        var hour = Duration.ofHours(1);
        server.keepSilent(true);
        assertThat(trust.read())
                .isInstanceOfSatisfying(
                        Unusable.class,
                        reading -> assertThat(reading.detail()).endsWith("; no API server trusts what is served yet"));
        assertThat(trust.nextLook(hour)).isEqualTo(Duration.ofSeconds(5));

        server.keepSilent(false);
        trust.read();

        assertThat(trust.nextLook(hour)).isEqualTo(hour);
    }

    /** A Pod of before may have written a token of its own there. */
    @Test
    void withoutRotationThePathIsThatOfTheConfiguredToken() {
        served(trust);
        var settings = SampleSettings.keeping(RenewalTest.settings(List.of("interlock.example.svc"), false));
        var accepted = new CallerTokens();
        var clock = new Ahead(Duration.ZERO);
        var api = new KubernetesApi(server, clock);

        served(new SelfManagedTrust(settings, () -> api, clock, accepted));

        assertThat(server.webhook(0).at("/clientConfig/service/path").asText())
                .isEqualTo("/mutate/jobs/" + SampleSettings.TOKEN);
        assertThat(TrustSecret.read(server.data()).orElseThrow().tokens())
                .hasSize(1)
                .noneMatch(token -> accepted.isAccepted(token.value().getBytes(UTF_8)));
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), UTF_8);
    }
}
