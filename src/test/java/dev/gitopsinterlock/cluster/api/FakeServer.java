package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.function.Predicate;

/** What the API servers in memory have in common. */
abstract class FakeServer implements ApiTransport {

    @Override
    public Optional<JsonNode> watch(ApiRequest request, Predicate<JsonNode> isAwaited) {
        throw new UnsupportedOperationException("nobody watches here");
    }

    @Override
    public String ownNamespace() {
        return "gitops-interlock";
    }
}
