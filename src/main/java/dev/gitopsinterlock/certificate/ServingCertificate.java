package dev.gitopsinterlock.certificate;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * A private key with the certificate chain that goes with it, leaf first.
 *
 * @param fingerprint of the two files as they were read; equal for equal content
 */
public record ServingCertificate(PrivateKey key, List<X509Certificate> chain, String fingerprint) {

    public ServingCertificate {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a serving pair has a certificate");
        }
    }

    public X509Certificate leaf() {
        return chain.getFirst();
    }

    public Instant notBefore() {
        return leaf().getNotBefore().toInstant();
    }

    public Instant notAfter() {
        return leaf().getNotAfter().toInstant();
    }

    /** Hexadecimal, as {@code openssl x509 -serial} prints it. */
    public String serial() {
        return leaf().getSerialNumber().toString(16);
    }

    /** Never the key. */
    @Override
    public String toString() {
        return "certificate %s, valid from %s to %s".formatted(serial(), notBefore(), notAfter());
    }
}
