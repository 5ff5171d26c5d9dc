package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/** The way to the API server. Thread-safe. */
interface ApiTransport {

    /** Sends it exactly once and blocks. Every failure that is no answer is an {@link IOException}. */
    ApiAnswer send(ApiRequest request) throws IOException;

    /**
     * Sends a watch and blocks until the awaited event comes, the API server ends the watch or the patience is over.
     *
     * @return the first awaited event
     * @throws IOException where the answer is no watch, too, or an error comes in place of events
     */
    Optional<JsonNode> watch(ApiRequest request, Predicate<JsonNode> isAwaited) throws IOException;

    /** The Namespace that we run in, as far as anybody says. */
    String ownNamespace();
}
