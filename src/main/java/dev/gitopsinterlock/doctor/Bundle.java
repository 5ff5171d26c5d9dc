package dev.gitopsinterlock.doctor;

import java.util.List;

/**
 * Whom the API server trusts when it calls a webhook.
 *
 * @param webhook that it belongs to
 * @param authorities in it; none where there is no bundle, or no certificate in it
 * @param signed whether one of them signed the serving certificate; no matter where that is not known
 */
public record Bundle(String webhook, List<Validity> authorities, boolean signed) {

    public Bundle {
        authorities = List.copyOf(authorities);
    }
}
