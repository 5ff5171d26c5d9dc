package dev.gitopsinterlock.cluster.api;

import java.io.IOException;

/** The way to the API server. Thread-safe. */
interface ApiTransport {

    /** Sends it exactly once and blocks. Every failure that is no answer is an {@link IOException}. */
    ApiAnswer send(ApiRequest request) throws IOException;

    /** The Namespace that we run in, as far as anybody says. */
    String ownNamespace();
}
