package dev.gitopsinterlock.tracing;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the spans of reviews come from. Never blocks and never fails, whatever becomes of them. Thread-safe. */
public interface Tracing extends AutoCloseable {

    /** Of W3C Trace Context, by which the API server says which of its spans a review belongs to. */
    String HEADER = "traceparent";

    /** Without spans. */
    Tracing OFF = new Tracing() {
        @Override
        public Optional<Span> review(String name, @Nullable String header) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    };

    /**
     * A span that begins now, within the caller's.
     *
     * @param header of the review's request, if it has one
     * @return nothing if the caller does not follow this one
     */
    Optional<Span> review(String name, @Nullable String header);

    /** Sends what has ended, as far as that takes no long time. */
    @Override
    void close();
}
