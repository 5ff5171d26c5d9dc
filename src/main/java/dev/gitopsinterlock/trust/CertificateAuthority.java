package dev.gitopsinterlock.trust;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/** A CA of this service alone, with its key. */
record CertificateAuthority(X509Certificate certificate, PrivateKey key) {

    /** Certificates are valid from that long before they are made: clocks differ. */
    static final Duration BACKDATED = Duration.ofHours(1);

    Instant created() {
        return certificate.getNotBefore().toInstant().plus(BACKDATED);
    }

    boolean isValidAt(Instant time) {
        return !time.isBefore(certificate.getNotBefore().toInstant())
                && time.isBefore(certificate.getNotAfter().toInstant());
    }

    boolean issued(X509Certificate other) {
        try {
            other.verify(certificate.getPublicKey());
            return true;
        } catch (java.security.GeneralSecurityException e) {
            return false;
        }
    }

    /** Never the key. */
    @Override
    public String toString() {
        return "CA %s, valid until %s"
                .formatted(
                        certificate.getSerialNumber().toString(16),
                        certificate.getNotAfter().toInstant());
    }
}
