package dev.gitopsinterlock.cluster.api;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A bucket for each key, and one for all together that ten keys can empty, so that none takes from another what is its own.
 * Remembers those that were used last. Thread-safe.
 */
final class TokenBuckets {

    /** Of each key. A forgotten one begins with a full bucket, so that this bounds memory alone. */
    private static final int MOST = 512;

    private static final int KEYS_TOGETHER = 10;

    private final int burst;
    private final Duration interval;
    private final TokenBucket together;
    private final Map<String, TokenBucket> byKey = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TokenBucket> eldest) {
            return size() > MOST;
        }
    };

    /**
     * All full.
     *
     * @param burst of one key
     * @param interval after which a key has one more
     */
    TokenBuckets(int burst, Duration interval) {
        this.burst = burst;
        this.interval = interval;
        this.together = new TokenBucket(burst * KEYS_TOGETHER, interval.dividedBy(KEYS_TOGETHER));
    }

    /** Whether there is one left for the key. {@code nanoTime} as of System. */
    synchronized boolean take(String key, long nanoTime) {
        return byKey.computeIfAbsent(key, first -> new TokenBucket(burst, interval))
                        .take(nanoTime)
                && together.take(nanoTime);
    }
}
