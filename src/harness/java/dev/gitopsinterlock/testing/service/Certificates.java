package dev.gitopsinterlock.testing.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.time.temporal.ChronoUnit.DAYS;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/** Keys and certificates in memory, and their PEM. */
public final class Certificates {

    private static final AtomicLong SERIALS = new AtomicLong(1);

    private Certificates() {}

    public static KeyPair rsa() {
        return keys("RSA");
    }

    /** P-256. */
    public static KeyPair ec() {
        return keys("EC");
    }

    private static KeyPair keys(String algorithm) {
        try {
            var generator = KeyPairGenerator.getInstance(algorithm);
            if (algorithm.equals("EC")) {
                generator.initialize(new ECGenParameterSpec("secp256r1"));
            } else {
                generator.initialize(2048);
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first of a PEM file. */
    public static X509Certificate parse(String pem) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(pem.getBytes(US_ASCII)));
        } catch (CertificateException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** All of a PEM file, in their order. */
    public static List<X509Certificate> parseAll(String pem) {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(US_ASCII)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Signed with its own key. */
    public static X509Certificate certificate(KeyPair keys, Instant notBefore, Instant notAfter) {
        return certificate(keys, keys, notBefore, notAfter);
    }

    public static X509Certificate certificate(KeyPair keys, KeyPair issuer, Instant notBefore, Instant notAfter) {
        return certificate(keys, issuer, notBefore, notAfter, false);
    }

    /** One for a host, as an API server wants it. */
    public static X509Certificate serving(
            KeyPair keys, KeyPair issuer, Instant notBefore, Instant notAfter, String host) {
        return certificate(keys, issuer, notBefore, notAfter, false, new GeneralName(GeneralName.dNSName, host));
    }

    /** One that signs others, valid now. */
    public static X509Certificate authority(KeyPair keys) {
        var now = Instant.now();
        return certificate(keys, keys, now.minus(1, DAYS), now.plus(1, DAYS), true);
    }

    private static X509Certificate certificate(
            KeyPair keys,
            KeyPair issuer,
            Instant notBefore,
            Instant notAfter,
            boolean isAuthority,
            GeneralName... names) {
        try {
            var name = new X500Name("CN=gitops-interlock");
            var signer = new JcaContentSignerBuilder(
                            issuer.getPrivate().getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA")
                    .build(issuer.getPrivate());
            var builder = new JcaX509v3CertificateBuilder(
                            name,
                            BigInteger.valueOf(SERIALS.getAndIncrement()),
                            Date.from(notBefore),
                            Date.from(notAfter),
                            name,
                            keys.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
            if (names.length > 0) {
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
            }
            return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As cert-manager writes it by default: BEGIN RSA PRIVATE KEY or BEGIN EC PRIVATE KEY. */
    public static String traditionalPem(KeyPair keys) {
        return keys.getPrivate() instanceof ECPrivateKey ec ? pem(sec1(ec, keys.getPublic())) : pem(keys.getPrivate());
    }

    /** With the curve and the public key, which Java leaves out of its own form. */
    private static PemObject sec1(ECPrivateKey key, PublicKey certified) {
        var point = SubjectPublicKeyInfo.getInstance(certified.getEncoded()).getPublicKeyData();
        var sequence =
                new org.bouncycastle.asn1.sec.ECPrivateKey(256, key.getS(), point, X9ObjectIdentifiers.prime256v1);
        try {
            return new PemObject("EC PRIVATE KEY", sequence.getEncoded());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** BEGIN PRIVATE KEY. */
    public static String pkcs8Pem(PrivateKey key) {
        return pem(new PemObject("PRIVATE KEY", key.getEncoded()));
    }

    public static String pem(X509Certificate... chain) {
        var text = new StringBuilder();
        for (var certificate : chain) {
            text.append(pem((Object) certificate));
        }
        return text.toString();
    }

    private static String pem(Object object) {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
