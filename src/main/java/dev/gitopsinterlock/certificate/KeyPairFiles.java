package dev.gitopsinterlock.certificate;

import dev.gitopsinterlock.certificate.PairReading.OutOfTime;
import dev.gitopsinterlock.certificate.PairReading.Reason;
import dev.gitopsinterlock.certificate.PairReading.Unusable;
import dev.gitopsinterlock.certificate.PairReading.Usable;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code tls.crt} and {@code tls.key} (PEM) from a directory, as a mounted Secret has them.
 *
 * <p>The directory is resolved once for each reading, because a mounted Secret is swapped as a whole by a symbolic
 * link: so both files are of one age. Blocks; call it from a worker thread. Never throws for what is in the files.
 */
public final class KeyPairFiles implements PairSource {

    private static final List<String> ALGORITHMS = List.of("RSA", "EC");

    private final Path directory;
    private final Clock clock;
    private final Vertx vertx;

    /** Parsing costs tens of milliseconds, and nearly every look finds the same files. */
    private volatile @Nullable Parsed last;

    private record Parsed(String fingerprint, PairReading reading) {}

    public KeyPairFiles(Path directory, Clock clock, Vertx vertx) {
        this.directory = directory;
        this.clock = clock;
        this.vertx = vertx;
    }

    @Override
    public PairReading first() {
        return read();
    }

    @Override
    public PairReading read() {
        try {
            var certificate = directory.resolve("tls.crt").toRealPath();
            var snapshot = certificate.resolveSibling("tls.key");
            var key = Files.exists(snapshot) ? snapshot : directory.resolve("tls.key");
            return parse(Files.readAllBytes(certificate), Files.readAllBytes(key));
        } catch (NoSuchFileException e) {
            return new Unusable(Reason.MISSING, e.getFile() + " does not exist");
        } catch (IOException e) {
            return new Unusable(Reason.UNREADABLE, "cannot be read: " + e.getMessage());
        }
    }

    private PairReading parse(byte[] certificate, byte[] key) {
        var fingerprint = fingerprint(certificate, key);
        var known = last;
        if (known == null || !known.fingerprint().equals(fingerprint)) {
            known = new Parsed(fingerprint, parse(certificate, key, fingerprint));
            last = known;
        }
        return known.reading() instanceof Usable(var pair) ? inTime(pair) : known.reading();
    }

    /** Whether the pair could be served at some time. */
    private PairReading parse(byte[] certificate, byte[] key, String fingerprint) {
        ServingCertificate pair;
        try {
            pair = pair(certificate, key, fingerprint);
        } catch (Exception e) { // the parsers of PEM, ASN.1 and keys throw checked and unchecked ones of many kinds
            return unreadable();
        }
        return pair.fits() ? new Usable(pair) : mismatched();
    }

    private Unusable unreadable() {
        return new Unusable(
                Reason.UNREADABLE,
                "tls.crt or tls.key in %s is not PEM of a certificate chain and of its key".formatted(directory));
    }

    private Unusable mismatched() {
        return new Unusable(Reason.MISMATCHED, "tls.key in %s is not the key of tls.crt there".formatted(directory));
    }

    private PairReading inTime(ServingCertificate pair) {
        var now = clock.instant();
        if (now.isAfter(pair.notAfter())) {
            return new OutOfTime(pair, Reason.EXPIRED, "the certificate expired at " + pair.notAfter());
        }
        if (now.isBefore(pair.notBefore())) {
            return new OutOfTime(pair, Reason.NOT_YET_VALID, "the certificate is not valid before " + pair.notBefore());
        }
        return new Usable(pair);
    }

    private ServingCertificate pair(byte[] certificate, byte[] key, String fingerprint) throws Exception {
        var chain = CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(certificate));
        var privateKey = Pkcs8.parse(key);
        return new ServingCertificate(
                privateKey.isPresent() ? privateKey.get() : throughKeyStore(certificate, key),
                chain.stream().map(X509Certificate.class::cast).toList(),
                fingerprint);
    }

    /** The older forms of a key, which Vert.x reads, though by way of a key store that takes a tenth of a second. */
    private PrivateKey throughKeyStore(byte[] certificate, byte[] key) throws Exception {
        var factory = new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(certificate))
                .addKeyValue(Buffer.buffer(key))
                .getKeyManagerFactory(vertx);
        for (var manager : factory.getKeyManagers()) {
            if (manager instanceof X509KeyManager x509) {
                for (var type : ALGORITHMS) {
                    var aliases = x509.getServerAliases(type, null);
                    if (aliases != null && aliases.length > 0) {
                        return x509.getPrivateKey(aliases[0]);
                    }
                }
            }
        }
        throw new GeneralSecurityException("no key of a known kind");
    }

    private static String fingerprint(byte[] certificate, byte[] key) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(certificate);
            digest.update(key);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
