package dev.gitopsinterlock.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.doctor.Bundle;
import dev.gitopsinterlock.doctor.Validity;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A chain of certificates, or a bundle of them, the leaf first. */
record Certificates(List<X509Certificate> all) {

    private static final int DNS = 2;

    Certificates {
        all = List.copyOf(all);
    }

    /** The certificates of PEM in base64, as objects have it; none where it is anything else. */
    static Certificates of(JsonNode base64) {
        try {
            var pem = Base64.getMimeDecoder().decode(base64.asText());
            return new Certificates(
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem)).stream()
                            .map(X509Certificate.class::cast)
                            .toList());
        } catch (CertificateException | IllegalArgumentException e) {
            return new Certificates(List.of());
        }
    }

    Optional<Validity> leaf() {
        return all.stream().map(Certificates::validity).findFirst();
    }

    /** DNS names that the leaf is for. */
    List<String> names() {
        try {
            var names = all.isEmpty() ? null : all.getFirst().getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> name.getFirst().equals(DNS))
                            .map(name -> String.valueOf(name.getLast()))
                            .toList();
        } catch (CertificateException e) {
            return List.of();
        }
    }

    /** Whom a webhook's configuration trusts, and whether that fits a chain. */
    static Bundle bundle(JsonNode webhook, Certificates chain) {
        var authorities = of(webhook.at("/clientConfig/caBundle"));
        return new Bundle(
                webhook.path("name").asText(),
                authorities.all.stream().map(Certificates::validity).toList(),
                authorities.signed(chain));
    }

    /** Whatever the time is: that a certificate has expired is told elsewhere. */
    private boolean signed(Certificates chain) {
        if (all.isEmpty() || chain.all.isEmpty()) {
            return false;
        }
        if (all.contains(chain.all.getFirst())) {
            return true;
        }
        try {
            var anchors = Set.copyOf(all);
            var parameters = new PKIXParameters(anchors.stream()
                    .map(authority -> new TrustAnchor(authority, null))
                    .collect(Collectors.toSet()));
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(whenAllAreValid(chain)));
            // what is trusted already has no place in the path
            var path = chain.all.stream()
                    .takeWhile(each -> !anchors.contains(each))
                    .toList();
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private Instant whenAllAreValid(Certificates chain) {
        return Stream.concat(all.stream(), chain.all.stream())
                .map(each -> each.getNotBefore().toInstant())
                .max(Instant::compareTo)
                .orElseThrow();
    }

    private static Validity validity(X509Certificate certificate) {
        return new Validity(
                certificate.getSubjectX500Principal().getName(),
                certificate.getNotBefore().toInstant(),
                certificate.getNotAfter().toInstant());
    }
}
