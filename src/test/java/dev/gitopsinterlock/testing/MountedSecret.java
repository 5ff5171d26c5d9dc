package dev.gitopsinterlock.testing;

import static java.time.temporal.ChronoUnit.DAYS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Map;

/**
 * A directory as kubelet mounts a Secret: {@code tls.crt} and {@code tls.key} lead through the link {@code ..data} to
 * a directory of one age, and an update swaps that link.
 *
 * @param directory what the service is pointed at
 */
public record MountedSecret(Path directory) {

    /** With a pair that is valid. */
    public static MountedSecret create() {
        try {
            var secret = new MountedSecret(Files.createTempDirectory("mounted-secret"));
            for (var file : new String[] {"tls.crt", "tls.key"}) {
                Files.createSymbolicLink(secret.directory.resolve(file), Path.of("..data", file));
            }
            secret.update(Certificates.ec());
            return secret;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With these entries, in a folder that others can read. */
    public static MountedSecret of(Map<String, byte[]> entries) {
        try {
            var secret = new MountedSecret(Files.createTempDirectory("mounted-secret"));
            readableByAll(secret.directory);
            secret.update(entries);
            return secret;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts these entries in the place of all others. */
    public void update(Map<String, byte[]> entries) {
        try {
            var version = Files.createTempDirectory(directory, "..version");
            readableByAll(version);
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

    private static void readableByAll(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
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
        try {
            var version = Files.createTempDirectory(directory, "..version");
            Files.writeString(version.resolve("tls.crt"), certificate);
            Files.writeString(version.resolve("tls.key"), key);
            swap(version.getFileName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As if the Secret had lost its entries. */
    public void empty() {
        try {
            swap(Files.createTempDirectory(directory, "..version").getFileName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void swap(Path version) throws IOException {
        var link = directory.resolve("..data_tmp");
        Files.createSymbolicLink(link, version);
        Files.move(
                link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
