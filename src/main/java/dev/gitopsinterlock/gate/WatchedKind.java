package dev.gitopsinterlock.gate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of objects of which something is kept: the service watches them, {@code status} lists them once.
 *
 * @param group of its API
 * @param version of its API
 * @param kind its name
 * @param plural its name in paths, and in metrics: no two kinds have the same
 * @param reader what is kept of an object; of one for which it gives nothing, nothing is
 * @param <T> what is kept
 */
public record WatchedKind<T>(
        String group, String version, String kind, String plural, Function<JsonNode, Optional<T>> reader) {

    /** The API path of all objects of this kind, in every Namespace. */
    public String path() {
        return "%s/%s/%s".formatted(group.isEmpty() ? "/api" : "/apis/" + group, version, plural);
    }
}
