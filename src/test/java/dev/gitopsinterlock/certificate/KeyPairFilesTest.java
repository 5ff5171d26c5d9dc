package dev.gitopsinterlock.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.certificate.PairReading.OutOfTime;
import dev.gitopsinterlock.certificate.PairReading.Reason;
import dev.gitopsinterlock.certificate.PairReading.Unusable;
import dev.gitopsinterlock.certificate.PairReading.Usable;
import dev.gitopsinterlock.testing.service.Certificates;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPairFilesTest {

    private static final Instant NOW = Instant.parse("2026-11-21T09:00:00Z");
    private static final Instant YESTERDAY = NOW.minusSeconds(86_400);
    private static final Instant TOMORROW = NOW.plusSeconds(86_400);
    private static final KeyPair RSA = Certificates.rsa();
    private static final KeyPair EC = Certificates.ec();
    private static final Vertx VERTX = Vertx.vertx();

    @TempDir
    Path directory;

    @AfterAll
    static void closeVertx() throws Exception {
        VERTX.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void rsaPairInTraditionalFormIsUsable() throws IOException {
        assertUsable(RSA, Certificates.traditionalPem(RSA));
    }

    @Test
    void rsaPairInPkcs8IsUsable() throws IOException {
        assertUsable(RSA, Certificates.pkcs8Pem(RSA.getPrivate()));
    }

    @Test
    void ecPairInTraditionalFormIsUsable() throws IOException {
        assertUsable(EC, Certificates.traditionalPem(EC));
    }

    @Test
    void ecPairInPkcs8IsUsable() throws IOException {
        assertUsable(EC, Certificates.pkcs8Pem(EC.getPrivate()));
    }

    @Test
    void chainIsReadLeafFirst() throws IOException {
        var issuer = Certificates.certificate(RSA, YESTERDAY, TOMORROW);
        var leaf = Certificates.certificate(EC, RSA, YESTERDAY, TOMORROW);
        write(Certificates.pem(leaf, issuer), Certificates.pkcs8Pem(EC.getPrivate()));

        assertThat(read())
                .isInstanceOfSatisfying(
                        Usable.class,
                        usable -> assertThat(usable.pair().chain()).containsExactly(leaf, issuer));
    }

    @Test
    void fingerprintChangesWithTheFiles() throws IOException {
        write(Certificates.pem(valid(RSA)), Certificates.pkcs8Pem(RSA.getPrivate()));
        var first = fingerprint();
        write(Certificates.pem(valid(RSA)), Certificates.pkcs8Pem(RSA.getPrivate()));

        assertThat(fingerprint()).isNotEqualTo(first).isEqualTo(fingerprint());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls.crt", "tls.key"})
    void missingFileIsNamed(String name) throws IOException {
        write(Certificates.pem(valid(RSA)), Certificates.pkcs8Pem(RSA.getPrivate()));
        Files.delete(directory.resolve(name));

        assertUnusable(Reason.MISSING, name + " does not exist");
    }

    @Test
    void missingDirectoryIsMissing() {
        var reading = files(directory.resolve("nowhere")).read();

        assertThat(reading)
                .isInstanceOfSatisfying(
                        Unusable.class,
                        unusable -> assertThat(unusable.reason()).isEqualTo(Reason.MISSING));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                "-----BEGIN CERTIFICATE-----\n"
            })
    void garbageInTheCertificateIsUnreadable(String certificate) throws IOException {
        write(certificate, Certificates.pkcs8Pem(RSA.getPrivate()));

        assertUnusable(Reason.UNREADABLE, "tls.crt or tls.key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"
            })
    void garbageInTheKeyIsUnreadable(String key) throws IOException {
        write(Certificates.pem(valid(RSA)), key);

        assertUnusable(Reason.UNREADABLE, "tls.crt or tls.key");
    }

    @Test
    void halfWrittenCertificateIsUnreadable() throws IOException {
        var whole = Certificates.pem(valid(RSA));
        write(whole.substring(0, whole.length() / 2), Certificates.pkcs8Pem(RSA.getPrivate()));

        assertUnusable(Reason.UNREADABLE, "tls.crt or tls.key");
    }

    @Test
    void keyOfAnotherCertificateIsMismatched() throws IOException {
        write(
                Certificates.pem(valid(RSA)),
                Certificates.pkcs8Pem(Certificates.rsa().getPrivate()));

        assertUnusable(Reason.MISMATCHED, "is not the key of tls.crt");
    }

    @Test
    void keyOfAnotherKindIsMismatched() throws IOException {
        write(Certificates.pem(valid(RSA)), Certificates.pkcs8Pem(EC.getPrivate()));

        assertUnusable(Reason.MISMATCHED, "is not the key of tls.crt");
    }

    @Test
    void expiredPairIsOutOfTime() throws IOException {
        write(
                Certificates.pem(Certificates.certificate(RSA, YESTERDAY, NOW.minusSeconds(1))),
                Certificates.pkcs8Pem(RSA.getPrivate()));

        assertOutOfTime(Reason.EXPIRED, "expired at 2026-11-21T08:59:59Z");
    }

    @Test
    void pairOfTomorrowIsOutOfTime() throws IOException {
        write(
                Certificates.pem(Certificates.certificate(RSA, NOW.plusSeconds(1), TOMORROW)),
                Certificates.pkcs8Pem(RSA.getPrivate()));

        assertOutOfTime(Reason.NOT_YET_VALID, "not valid before 2026-11-21T09:00:01Z");
    }

    @Test
    void bordersOfTheTimeAreInIt() throws IOException {
        write(Certificates.pem(Certificates.certificate(RSA, NOW, NOW)), Certificates.pkcs8Pem(RSA.getPrivate()));

        assertThat(read()).isInstanceOf(Usable.class);
    }

    @Test
    void mountedSecretIsReadThroughItsLink() throws IOException {
        var age = Files.createDirectory(directory.resolve("..2026_11_21"));
        Files.writeString(age.resolve("tls.crt"), Certificates.pem(valid(EC)));
        Files.writeString(age.resolve("tls.key"), Certificates.pkcs8Pem(EC.getPrivate()));
        Files.createSymbolicLink(directory.resolve("..data"), Path.of("..2026_11_21"));
        Files.createSymbolicLink(directory.resolve("tls.crt"), Path.of("..data/tls.crt"));
        Files.createSymbolicLink(directory.resolve("tls.key"), Path.of("..data/tls.key"));

        assertThat(read()).isInstanceOf(Usable.class);
    }

    @Test
    void nothingSaidContainsTheKey() throws IOException {
        var key = Certificates.pkcs8Pem(RSA.getPrivate());
        var secret = key.lines().skip(3).findFirst().orElseThrow();
        for (var certificate : new String[] {"garbage", Certificates.pem(valid(EC)), Certificates.pem(valid(RSA))}) {
            write(certificate, key);

            assertThat(said(read())).doesNotContain(secret);
        }
    }

    private static String said(PairReading reading) {
        return switch (reading) {
            case Usable(ServingCertificate pair) -> pair.toString();
            case OutOfTime(ServingCertificate pair, Reason reason, String detail) -> pair + detail + reason;
            case Unusable(Reason reason, String detail) -> detail + reason;
        };
    }

    private void assertUsable(KeyPair keys, String key) throws IOException {
        var certificate = valid(keys);
        write(Certificates.pem(certificate), key);

        assertThat(read()).isInstanceOfSatisfying(Usable.class, usable -> {
            assertThat(usable.pair().key()).isEqualTo(keys.getPrivate());
            assertThat(usable.pair().chain()).containsExactly(certificate);
            assertThat(usable.pair().serial())
                    .isEqualTo(certificate.getSerialNumber().toString(16));
        });
    }

    private void assertUnusable(Reason reason, String detail) {
        assertThat(read()).isInstanceOfSatisfying(Unusable.class, unusable -> {
            assertThat(unusable.reason()).isEqualTo(reason);
            assertThat(unusable.detail()).contains(detail);
        });
    }

    private void assertOutOfTime(Reason reason, String detail) {
        assertThat(read()).isInstanceOfSatisfying(OutOfTime.class, outOfTime -> {
            assertThat(outOfTime.reason()).isEqualTo(reason);
            assertThat(outOfTime.detail()).contains(detail);
        });
    }

    private String fingerprint() {
        return ((Usable) read()).pair().fingerprint();
    }

    private static X509Certificate valid(KeyPair keys) {
        return Certificates.certificate(keys, YESTERDAY, TOMORROW);
    }

    private void write(String certificate, String key) throws IOException {
        Files.writeString(directory.resolve("tls.crt"), certificate);
        Files.writeString(directory.resolve("tls.key"), key);
    }

    private PairReading read() {
        return files(directory).read();
    }

    private static KeyPairFiles files(Path directory) {
        return new KeyPairFiles(directory, Clock.fixed(NOW, ZoneOffset.UTC), VERTX);
    }
}
