package dev.gitopsinterlock.trust;

import java.time.Instant;

/** What an API server proves by that it is the one who calls. */
record CallerToken(String value, Instant created) {

    /** Never the token. */
    @Override
    public String toString() {
        return "caller token of " + created;
    }
}
