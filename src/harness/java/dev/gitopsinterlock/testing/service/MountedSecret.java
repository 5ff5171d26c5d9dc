package dev.gitopsinterlock.testing.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.DAYS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * A directory as kubelet mounts a Secret: {@code tls.crt} and {@code tls.key} lead through the link {@code ..data} to
 * a directory of one age, and an update swaps that link.
 *
 * @param directory what the service is pointed at
 */
public record MountedSecret(Path directory) {

    /** For every user, as the kubelet does it. */
    private static final FileAttribute<Set<PosixFilePermission>> READABLE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));

    /** With a pair that is valid. */
    public static MountedSecret create() {
        var secret = of(Map.of());
        secret.update(Certificates.ec());
        return secret;
    }

    /** With these entries. */
    public static MountedSecret of(Map<String, byte[]> entries) {
        try {
            var secret = new MountedSecret(Files.createTempDirectory("mounted-secret", READABLE));
            secret.update(entries);
            return secret;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts these entries in the place of all others. */
    public void update(Map<String, byte[]> entries) {
        try {
            var version = Files.createTempDirectory(directory, "..version", READABLE);
            for (var entry : entries.entrySet()) {
                Files.write(version.resolve(entry.getKey()), entry.getValue());
            }
            swap(version.getFileName());
            for (var name : entries.keySet()) {
                var link = directory.resolve(name);
                if (!Files.isSymbolicLink(link)) {
                    Files.createSymbolicLink(link, Path.of("..data", name));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts a certificate for the keys in place, valid now, and tells which. */
    public X509Certificate update(KeyPair keys) {
        return update(keys, Instant.now().minus(1, DAYS), Instant.now().plus(90, DAYS));
    }

    public X509Certificate update(KeyPair keys, Instant notBefore, Instant notAfter) {
        return update(keys, keys, notBefore, notAfter);
    }

    /** With the key of another pair beside the certificate. */
    public X509Certificate update(KeyPair keys, KeyPair beside, Instant notBefore, Instant notAfter) {
        var certificate = Certificates.certificate(keys, notBefore, notAfter);
        update(Certificates.pem(certificate), Certificates.pkcs8Pem(beside.getPrivate()));
        return certificate;
    }

    public void update(String certificate, String key) {
        update(Map.of("tls.crt", certificate.getBytes(UTF_8), "tls.key", key.getBytes(UTF_8)));
    }

    /** As if the Secret had lost its entries. */
    public void empty() {
        update(Map.of());
    }

    private void swap(Path version) throws IOException {
        var link = directory.resolve("..data_tmp");
        Files.createSymbolicLink(link, version);
        Files.move(
                link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
