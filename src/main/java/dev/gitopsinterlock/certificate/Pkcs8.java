package dev.gitopsinterlock.certificate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The form of a private key that Java reads by itself, and that the chart asks cert-manager for. */
final class Pkcs8 {

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private static final List<String> ALGORITHMS = List.of("EC", "RSA");

    private Pkcs8() {}

    /** The key in a file; empty where it has none of this form; fails for one whose key cannot be read. */
    static Optional<PrivateKey> parse(byte[] file) throws GeneralSecurityException {
        var match = PEM.matcher(new String(file, ISO_8859_1));
        if (!match.find()) {
            return Optional.empty();
        }
        var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(match.group(1)));
        for (var algorithm : ALGORITHMS) {
            try {
                return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(encoded));
            } catch (InvalidKeySpecException e) {
                // perhaps a key of the next kind
            }
        }
        throw new GeneralSecurityException("no key of a known kind");
    }
}
