package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.webhook.HeapShare.Lease;
import dev.gitopsinterlock.webhook.ReviewBody.Review;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;

/**
 * The part of the heap that the trees of all reviews together may take. Small reviews have a share of their own, so that
 * no large one keeps them waiting. The figures go with the heap in {@code java.options}; docs/performance.md has them.
 */
@Singleton
final class MemoryBudget {

    private static final long MEBI = 1024 * 1024;

    /** Bodies up to here are small: nearly all that the API server sends about Jobs. */
    static final long SMALL = 64 * 1024;

    private static final long FOR_SMALL = 8 * MEBI;
    private static final long FOR_LARGE = 28 * MEBI;

    /** What a tree takes at most for each byte of its body: a list of empty objects. */
    private static final long WORST = 26;

    /** The tree, and beside it the answers of the API server where an edit is carried out. */
    private static final long TREES = 2;

    /** The new Job as it is sent, and what comes back. */
    private static final long COPIES = 3;

    private final HeapShare small = new HeapShare(FOR_SMALL);
    private final HeapShare large = new HeapShare(FOR_LARGE);

    /** Without anybody to tell. */
    MemoryBudget() {}

    @Inject
    MemoryBudget(MeterRegistry registry) {
        gauge(registry, "small", small);
        gauge(registry, "large", large);
    }

    private static void gauge(MeterRegistry registry, String reviews, HeapShare share) {
        Gauge.builder("gitops.interlock.reviews.heap", share::taken)
                .description("Bytes of the heap that are set aside for the reviews that are being judged")
                .baseUnit("bytes")
                .tag("reviews", reviews)
                .register(registry);
    }

    /** For a small body, if there is room now. */
    Optional<Lease> small(Body body) {
        return body.length() <= SMALL ? small.tryTake(worstCost(body.length())) : Optional.empty();
    }

    /** For any body, once there is room. Blocks. */
    Optional<Lease> large(Body body, Duration patience) {
        return large.take(Math.min(FOR_LARGE, worstCost(body.length())), patience);
    }

    /** What any tree may take. */
    static long allowance() {
        return FOR_LARGE;
    }

    /** Whether there is room for its replacement, too. */
    static boolean suffices(Review review, long length) {
        return wholeCost(review, length) <= FOR_LARGE;
    }

    /** Of a review until it is answered, whatever is done about it. */
    static long cost(Review review, long length) {
        return suffices(review, length) ? wholeCost(review, length) : review.heap();
    }

    private static long wholeCost(Review review, long length) {
        return TREES * review.heap() + COPIES * length;
    }

    private static long worstCost(long length) {
        return (TREES * WORST + COPIES) * length;
    }
}
