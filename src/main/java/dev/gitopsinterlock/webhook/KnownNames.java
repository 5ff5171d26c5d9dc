package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.core.JsonFactory;

/**
 * Keeps the names of members from one reading to the next, which spares most of the work on them: Jobs have the same. A
 * factory keeps all names that its parsers have met, and some are a stranger's and as long as he likes; so each is used for
 * small bodies only, of so many bytes together, and then forgotten with its names. Thread-safe.
 */
final class KnownNames {

    /** All bodies of one factory. */
    private static final long TOGETHER = 1024 * 1024;

    private final JsonFactory template;
    private JsonFactory current;
    private long read;

    /**
     * Nothing is known at first.
     *
     * @param template of the factories; itself never read with
     */
    KnownNames(JsonFactory template) {
        this.template = template;
        this.current = template.copy();
    }

    /**
     * For one reading.
     *
     * @param length of the body, in bytes
     */
    synchronized JsonFactory factory(long length) {
        if (length > MemoryBudget.SMALL) {
            return template.copy();
        }
        if (read + length > TOGETHER) {
            current = template.copy();
            read = 0;
        }
        read += length;
        return current;
    }
}
