package dev.gitopsinterlock.trust;

import dev.gitopsinterlock.certificate.ServingCertificate;
import dev.gitopsinterlock.config.Settings.SelfManaged;
import java.security.cert.CertificateParsingException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * When what follows what. A new CA is trusted before it signs and an old one after it has signed, each for the overlap,
 * so that replicas and API servers may learn of it at different times. A CA and a leaf are renewed when a third of their
 * time is left. Idempotent; holds nothing and asks nobody.
 */
record Renewal(SelfManaged settings) {

    /**
     * What should be in the Secret in place of this; the same object contents where nothing is due.
     *
     * @param now by the clock of the API server, who verifies
     * @param newestIsTrusted whether the webhook configurations have the newest CA
     * @param tokenIsTold whether they have the token that is {@link #published}
     */
    TrustState next(TrustState stored, Instant now, boolean newestIsTrusted, boolean tokenIsTold) {
        var state = withAuthority(withoutSuperseded(stored, now), now);
        var signer = signer(state, now, newestIsTrusted);
        if (!isFit(state.leaf(), signer, now)) {
            state = state.with(CertificateIssuer.leaf(signer, settings.hosts(), settings.duration(), now));
        }
        return state.withTokens(tokens(state.tokens(), now, tokenIsTold));
    }

    /** For one that is lost, or whose owner wants another: as it is, and a CA that takes over, if none is about to. */
    TrustState renewed(TrustState known, Instant now) {
        return known.signer().equals(known.newest())
                ? known.with(CertificateIssuer.authority(settings.caDuration(), now))
                : known;
    }

    /** The token for the paths: the newest that every replica knows. */
    Optional<String> published(TrustState state, Instant now) {
        return state.tokens().isEmpty() || !settings.callerToken()
                ? Optional.empty()
                : Optional.of(published(state.tokens(), now).value());
    }

    private TrustState withoutSuperseded(TrustState state, Instant now) {
        var valid = state.authorities().stream()
                .filter(authority -> authority.isValidAt(now))
                .toList();
        var signer = state.withAuthorities(valid).signer();
        if (signer.isPresent()
                && !now.isBefore(state.leafCreated().orElseThrow().plus(settings.overlap()))) {
            return state.withAuthorities(valid.subList(valid.indexOf(signer.get()), valid.size()));
        }
        return state.withAuthorities(valid);
    }

    /** One at a time: while one waits to take over there is no further one. */
    private TrustState withAuthority(TrustState state, Instant now) {
        var newest = state.newest();
        var isDue = newest.isEmpty()
                || (isDue(newest.get().certificate().getNotAfter().toInstant(), settings.caDuration(), now)
                        && (state.authorities().size() == 1 || state.signer().equals(newest)));
        return isDue ? state.with(CertificateIssuer.authority(settings.caDuration(), now)) : state;
    }

    private static boolean isDue(Instant end, Duration duration, Instant now) {
        return !now.isBefore(end.minus(duration.dividedBy(3)));
    }

    private CertificateAuthority signer(TrustState state, Instant now, boolean newestIsTrusted) {
        var newest = state.newest().orElseThrow();
        var isKnown = newestIsTrusted && !now.isBefore(newest.created().plus(settings.overlap()));
        return isKnown ? newest : state.signer().orElse(state.authorities().getFirst());
    }

    private boolean isFit(Optional<ServingCertificate> leaf, CertificateAuthority signer, Instant now) {
        return leaf.filter(pair -> signer.issued(pair.leaf())
                        && names(pair).equals(Set.copyOf(settings.hosts()))
                        && !now.isBefore(pair.notBefore())
                        && now.isBefore(pair.notAfter())
                        && (endsWith(signer, pair) || !isDue(pair.notAfter(), settings.duration(), now)))
                .isPresent();
    }

    /** Another one would not end later. */
    private static boolean endsWith(CertificateAuthority signer, ServingCertificate pair) {
        return !pair.notAfter().isBefore(signer.certificate().getNotAfter().toInstant());
    }

    private static Set<String> names(ServingCertificate pair) {
        try {
            var names = pair.leaf().getSubjectAlternativeNames();
            return names == null
                    ? Set.of()
                    : names.stream().map(name -> name.get(1).toString()).collect(Collectors.toSet());
        } catch (CertificateParsingException e) {
            return Set.of();
        }
    }

    /** Where no token is wanted they stay as they are: a Pod of before may still use them. */
    private List<CallerToken> tokens(List<CallerToken> stored, Instant now, boolean isPublished) {
        if (!settings.callerToken() || (!isPublished && !stored.isEmpty())) {
            return stored;
        }
        var tokens = new ArrayList<>(stored);
        // to the second, as it is written down
        var second = Instant.ofEpochSecond(now.getEpochSecond());
        if (tokens.isEmpty() || !now.isBefore(tokens.getLast().created().plus(settings.callerTokenInterval()))) {
            tokens.add(new CallerToken(CertificateIssuer.token(), second));
        }
        var published = published(tokens, now);
        if (!now.isBefore(published.created().plus(settings.overlap().multipliedBy(2)))) {
            return List.copyOf(tokens.subList(tokens.indexOf(published), tokens.size()));
        }
        return List.copyOf(tokens);
    }

    private CallerToken published(List<CallerToken> tokens, Instant now) {
        return tokens.reversed().stream()
                .filter(token -> !now.isBefore(token.created().plus(settings.overlap())))
                .findFirst()
                .orElse(tokens.getFirst());
    }
}
