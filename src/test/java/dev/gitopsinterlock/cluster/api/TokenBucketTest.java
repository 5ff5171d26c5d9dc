package dev.gitopsinterlock.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenBucketTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final TokenBucket bucket = new TokenBucket(3, Duration.ofSeconds(1));

    @Test
    void aBurstGoesThroughAndThenOneASecond() {
        assertThat(taken(5, 0)).isEqualTo(3);
        assertThat(taken(5, SECOND - 1)).isZero();
        assertThat(taken(5, SECOND)).isEqualTo(1);
        assertThat(taken(5, 2 * SECOND + SECOND / 2)).isEqualTo(1);
        assertThat(taken(5, 3 * SECOND)).isEqualTo(1);
    }

    @Test
    void aLongPauseDoesNotAddUp() {
        assertThat(taken(5, 0)).isEqualTo(3);
        assertThat(taken(9, 100 * SECOND)).isEqualTo(3);
    }

    private long taken(int tries, long now) {
        return IntStream.range(0, tries).filter(i -> bucket.take(now)).count();
    }
}
