package dev.gitopsinterlock.trust;

import dev.gitopsinterlock.certificate.ServingCertificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the Secret holds; immutable.
 *
 * @param authorities whom the API server is to trust, the newest last: one, or two and more while one follows another
 * @param leaf what is served
 * @param tokens that are accepted, the newest last
 */
record TrustState(List<CertificateAuthority> authorities, Optional<ServingCertificate> leaf, List<CallerToken> tokens) {

    static final TrustState EMPTY = new TrustState(List.of(), Optional.empty(), List.of());

    TrustState {
        authorities = List.copyOf(authorities);
        tokens = List.copyOf(tokens);
    }

    Optional<CertificateAuthority> newest() {
        return authorities.isEmpty() ? Optional.empty() : Optional.of(authorities.getLast());
    }

    /** The one that signed what is served. */
    Optional<CertificateAuthority> signer() {
        return leaf.flatMap(pair ->
                authorities.stream().filter(one -> one.issued(pair.leaf())).findFirst());
    }

    /** When the leaf was made. */
    Optional<Instant> leafCreated() {
        return leaf.map(pair -> pair.notBefore().plus(CertificateAuthority.BACKDATED));
    }

    TrustState with(CertificateAuthority authority) {
        var more = new ArrayList<>(authorities);
        more.add(authority);
        return new TrustState(more, leaf, tokens);
    }

    TrustState with(ServingCertificate pair) {
        return new TrustState(authorities, Optional.of(pair), tokens);
    }

    TrustState withAuthorities(List<CertificateAuthority> others) {
        return new TrustState(others, leaf, tokens);
    }

    TrustState withTokens(List<CallerToken> others) {
        return new TrustState(authorities, leaf, others);
    }
}
