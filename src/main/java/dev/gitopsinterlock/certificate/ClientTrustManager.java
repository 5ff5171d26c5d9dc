package dev.gitopsinterlock.certificate;

import dev.gitopsinterlock.logging.LogRateLimiter;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Lets those in who show a client certificate of one of the file's CAs and have one of the names. The file is read
 * again at the next handshake after it has changed; what cannot be read leaves the CAs as they were. Thread-safe.
 */
final class ClientTrustManager extends X509ExtendedTrustManager {

    private static final Logger LOG = Logger.getLogger(ClientTrustManager.class);

    private final Path file;
    private final List<String> names;
    private final Vertx vertx;
    private final LogRateLimiter complaints = new LogRateLimiter(InstantSource.system());
    private volatile Authorities authorities;

    private record Authorities(Buffer pem, X509ExtendedTrustManager check) {}

    /**
     * @param file CA certificates as PEM
     * @param names common names (CN) of the certificates' subjects
     * @throws IOException if there are no CA certificates in the file, or no file
     */
    ClientTrustManager(Path file, List<String> names, Vertx vertx) throws IOException {
        this.file = file;
        this.names = List.copyOf(names);
        this.vertx = vertx;
        this.authorities = parse(pem(file));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        try {
            current().check().checkClientTrusted(chain, authType, engine);
        } catch (CertificateException e) {
            complain("a caller was not let in: its certificate is of none of the CAs in %s, or not valid: %s"
                    .formatted(file, e.getMessage()));
            throw e;
        }
        var name = commonName(chain[0]);
        if (name.filter(names::contains).isEmpty()) {
            complain("a caller was not let in: its certificate has the name \"%s\", accepted are %s"
                    .formatted(name.orElse(""), names));
            throw new CertificateException("not one of the callers that are let in");
        }
    }

    private Authorities current() {
        var known = authorities;
        try {
            var pem = pem(file);
            if (!pem.equals(known.pem())) {
                known = parse(pem);
                authorities = known;
            }
        } catch (IOException e) {
            complain("the CAs of callers stay as they were, because %s cannot be read: %s"
                    .formatted(file, e.getMessage()));
        }
        return known;
    }

    private void complain(String what) {
        complaints.next().ifPresent(heldBack -> LOG.warnf("%s (and %d more unlogged)", what, heldBack));
    }

    private static Buffer pem(Path file) throws IOException {
        return Buffer.buffer(Files.readAllBytes(file));
    }

    private Authorities parse(Buffer pem) throws IOException {
        try {
            var managers = new PemTrustOptions()
                    .addCertValue(pem)
                    .getTrustManagerFactory(vertx)
                    .getTrustManagers();
            var check = Arrays.stream(managers)
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .map(X509ExtendedTrustManager.class::cast)
                    .filter(manager -> manager.getAcceptedIssuers().length > 0)
                    .findFirst()
                    .orElseThrow(() -> new IOException("no CA certificate in it"));
            return new Authorities(pem, check);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) { // the parsers of PEM and ASN.1 throw checked and unchecked ones of many kinds
            throw new IOException("no PEM of CA certificates", e);
        }
    }

    private static Optional<String> commonName(X509Certificate certificate) {
        try {
            return new LdapName(certificate.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(part -> part.getValue().toString())
                            .findFirst();
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.check().getAcceptedIssuers();
    }

    /** The server asks with an engine. */
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        throw new CertificateException("not by socket");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("not without a connection");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        throw noServers();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        throw noServers();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw noServers();
    }

    private static CertificateException noServers() {
        return new CertificateException("callers are clients");
    }
}
