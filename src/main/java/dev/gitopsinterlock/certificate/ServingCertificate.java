package dev.gitopsinterlock.certificate;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A private key with the certificate chain that goes with it, leaf first.
 *
 * @param fingerprint of the two files as they were read; equal for equal content
 */
public record ServingCertificate(PrivateKey key, List<X509Certificate> chain, String fingerprint) {

    private static final Map<String, String> SIGNATURES = Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

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

    /** Whether the key is that of the certificate. */
    public boolean fits() {
        try {
            var challenge = new byte[32];
            new SecureRandom().nextBytes(challenge);
            var algorithm = SIGNATURES.getOrDefault(key.getAlgorithm(), key.getAlgorithm());
            var signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(challenge);
            var verifying = Signature.getInstance(algorithm);
            verifying.initVerify(leaf().getPublicKey());
            verifying.update(challenge);
            return verifying.verify(signing.sign());
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Never the key. */
    @Override
    public String toString() {
        return "certificate %s, valid from %s to %s".formatted(serial(), notBefore(), notAfter());
    }
}
