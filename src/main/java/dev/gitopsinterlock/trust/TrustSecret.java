package dev.gitopsinterlock.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.certificate.ServingCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * How the state is written down: {@code ca.crt}, {@code ca.key}, {@code tls.crt} and {@code tls.key} as PEM, each CA's
 * certificate and key at the same place in its file, and {@code caller-tokens}, one on each line behind its time.
 */
final class TrustSecret {

    private static final String CA = "ca.crt";
    private static final String CA_KEYS = "ca.key";
    private static final String LEAF = "tls.crt";
    private static final String KEY = "tls.key";
    private static final String TOKENS = "caller-tokens";

    private TrustSecret() {}

    /** The Secret's {@code data}. */
    static ObjectNode write(TrustState state) {
        var data = JsonNodeFactory.instance.objectNode();
        put(data, CA, bundle(state));
        put(data, CA_KEYS, pem(state.authorities().stream().map(one -> key(one.key()))));
        state.leaf().ifPresent(pair -> {
            put(data, LEAF, pem(pair.chain().stream().map(TrustSecret::certificate)));
            put(data, KEY, pem(Stream.of(key(pair.key()))));
        });
        if (!state.tokens().isEmpty()) {
            put(
                    data,
                    TOKENS,
                    state.tokens().stream()
                            .map(token -> token.created() + " " + token.value() + "\n")
                            .collect(Collectors.joining()));
        }
        return data;
    }

    /** All CAs, which the API server is to trust. */
    static String bundle(TrustState state) {
        return pem(state.authorities().stream().map(one -> certificate(one.certificate())));
    }

    /** The certificate of a CA, as it stands in the bundle. */
    static String pem(CertificateAuthority authority) {
        return pem(Stream.of(certificate(authority.certificate())));
    }

    /** The state in the data of a Secret; empty for data of any other kind. */
    static Optional<TrustState> read(JsonNode data) {
        try {
            var authorities = new ArrayList<CertificateAuthority>();
            var keys = keys(text(data, CA_KEYS));
            for (var certificate : certificates(text(data, CA))) {
                authorities.add(new CertificateAuthority(certificate, keys.get(authorities.size())));
            }
            if (authorities.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(
                    new TrustState(authorities, leaf(text(data, LEAF), text(data, KEY)), tokens(text(data, TOKENS))));
        } catch (IOException | GeneralSecurityException | DateTimeException e) {
            return Optional.empty();
        } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
            // base64, PEM, and lists that do not fit
            return Optional.empty();
        }
    }

    private static Optional<ServingCertificate> leaf(String chain, String key)
            throws IOException, GeneralSecurityException {
        var certificates = certificates(chain);
        var keys = keys(key);
        return certificates.isEmpty() || keys.isEmpty()
                ? Optional.empty()
                : Optional.of(CertificateIssuer.pair(keys.getFirst(), certificates.getFirst()))
                        .filter(ServingCertificate::fits);
    }

    private static List<CallerToken> tokens(String lines) {
        return lines.lines()
                .map(line -> line.split(" ", 2))
                .map(parts -> new CallerToken(parts[1], Instant.parse(parts[0])))
                .toList();
    }

    private static List<X509Certificate> certificates(String pem) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(UTF_8)))
                .stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    private static List<PrivateKey> keys(String pem) throws IOException, GeneralSecurityException {
        var found = new ArrayList<PrivateKey>();
        try (var reader = new PemReader(new StringReader(pem))) {
            for (var object = reader.readPemObject(); object != null; object = reader.readPemObject()) {
                found.add(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(object.getContent())));
            }
        }
        return found;
    }

    private static PemObject key(PrivateKey key) {
        return new PemObject("PRIVATE KEY", key.getEncoded());
    }

    private static PemObject certificate(X509Certificate certificate) {
        try {
            return new PemObject("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was encoded already", e);
        }
    }

    private static String pem(Stream<PemObject> objects) {
        var text = new StringWriter();
        try (var writer = new PemWriter(text)) {
            for (var object : objects.toList()) {
                writer.writeObject(object);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("into memory", e);
        }
        return text.toString();
    }

    private static void put(ObjectNode data, String key, String text) {
        data.put(key, Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
    }

    private static String text(JsonNode data, String key) {
        return new String(Base64.getDecoder().decode(data.path(key).asText()), UTF_8);
    }
}
