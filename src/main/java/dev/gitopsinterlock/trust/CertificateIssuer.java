package dev.gitopsinterlock.trust;

import dev.gitopsinterlock.certificate.ServingCertificate;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes keys and certificates: P-256, SHA-256. Thread-safe. */
final class CertificateIssuer {

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int SERIAL_BITS = 127;

    private CertificateIssuer() {}

    static CertificateAuthority authority(Duration validity, Instant now) {
        var keys = keys();
        var serial = serial();
        // each has a name of its own, so that whoever verifies need not try
        var name = name("gitops-interlock CA " + serial.toString(16));
        try {
            var certificate = builder(name, name, serial, keys, now, now.plus(validity))
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            return new CertificateAuthority(signed(certificate, keys.getPrivate()), keys.getPrivate());
        } catch (IOException e) {
            throw new IllegalStateException("extensions of our own", e);
        }
    }

    /**
     * A serving certificate, which ends no later than its CA.
     *
     * @param hosts DNS names and IP addresses by which the API server calls
     */
    static ServingCertificate leaf(CertificateAuthority by, List<String> hosts, Duration validity, Instant now) {
        var keys = keys();
        var end = now.plus(validity);
        var last = by.certificate().getNotAfter().toInstant();
        var names = hosts.stream().map(CertificateIssuer::generalName).toArray(GeneralName[]::new);
        try {
            var certificate = builder(
                            new X500Name(
                                    by.certificate().getSubjectX500Principal().getName()),
                            name("gitops-interlock"),
                            serial(),
                            keys,
                            now,
                            end.isBefore(last) ? end : last)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(
                            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            extensions()
                                    .createAuthorityKeyIdentifier(
                                            by.certificate().getPublicKey()))
                    .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
            return pair(keys.getPrivate(), signed(certificate, by.key()));
        } catch (IOException e) {
            throw new IllegalStateException("extensions of our own", e);
        }
    }

    static ServingCertificate pair(PrivateKey key, X509Certificate certificate) {
        return new ServingCertificate(key, List.of(certificate), fingerprint(certificate));
    }

    private static GeneralName generalName(String host) {
        var isAddress = host.contains(":") || host.matches("[0-9.]+");
        return new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, host);
    }

    private static JcaX509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, BigInteger serial, KeyPair keys, Instant now, Instant end)
            throws IOException {
        var begin = now.minus(CertificateAuthority.BACKDATED);
        var builder = new JcaX509v3CertificateBuilder(
                issuer, serial, Date.from(begin), Date.from(end), subject, keys.getPublic());
        builder.addExtension(
                Extension.subjectKeyIdentifier, false, extensions().createSubjectKeyIdentifier(keys.getPublic()));
        return builder;
    }

    private static X509Certificate signed(org.bouncycastle.cert.X509v3CertificateBuilder certificate, PrivateKey key) {
        try {
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key);
            return new JcaX509CertificateConverter().getCertificate(certificate.build(signer));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException("every Java signs with P-256", e);
        }
    }

    private static X500Name name(String commonName) {
        return new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
    }

    private static BigInteger serial() {
        return new BigInteger(SERIAL_BITS, RANDOM).setBit(SERIAL_BITS - 1);
    }

    private static KeyPair keys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256", e);
        }
    }

    private static JcaX509ExtensionUtils extensions() {
        try {
            return new JcaX509ExtensionUtils();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-1, which is a key's identifier", e);
        }
    }

    private static String fingerprint(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** A caller token: 40 lowercase letters and digits. */
    static String token() {
        var bytes = new byte[20];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
