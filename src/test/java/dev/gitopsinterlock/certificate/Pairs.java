package dev.gitopsinterlock.certificate;

import dev.gitopsinterlock.testing.service.Certificates;
import java.security.KeyPair;
import java.time.Instant;
import java.util.List;

/** Serving pairs, each with a certificate of its own. */
final class Pairs {

    private static final KeyPair RSA = Certificates.rsa();
    private static final KeyPair EC = Certificates.ec();

    private Pairs() {}

    static ServingCertificate rsa() {
        return pair(RSA);
    }

    static ServingCertificate ec() {
        return pair(EC);
    }

    private static ServingCertificate pair(KeyPair keys) {
        var certificate = Certificates.certificate(
                keys, Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2027-01-01T00:00:00Z"));
        return new ServingCertificate(
                keys.getPrivate(),
                List.of(certificate),
                certificate.getSerialNumber().toString(16));
    }
}
