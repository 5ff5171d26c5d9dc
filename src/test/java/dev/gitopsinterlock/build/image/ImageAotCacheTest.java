package dev.gitopsinterlock.build.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.build.image.ImageAotCache.Dump;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Caches of one JVM, each with a checksum and a time of its own. */
class ImageAotCacheTest {

    private static final int HEADER = 4096;

    /** Its parts point at each other: with words of two it would be none. */
    @Test
    void timesAndChecksumsAreClearedAndTheRestIsThatOfOne() {
        var cleared = ByteBuffer.wrap(ImageAotCache.cleared(dump(1, 4711, 7), dump(2, 815, 7)))
                .order(ByteOrder.nativeOrder());

        assertThat(cleared.getInt(0)).as("checksum").isZero();
        assertThat(cleared.getLong(HEADER)).as("time").isZero();
        assertThat(cleared.getLong(HEADER + 8)).isEqualTo(4711);
        assertThat(cleared.getLong(HEADER + 16)).isEqualTo(7);
    }

    private static Dump dump(int number, long... words) {
        var bytes = ByteBuffer.allocate(HEADER + 8 * (1 + words.length)).order(ByteOrder.nativeOrder());
        bytes.putInt(0, number);
        bytes.putLong(HEADER, 1000L * number);
        for (int i = 0; i < words.length; i++) {
            bytes.putLong(HEADER + 8 * (i + 1), words[i]);
        }
        return new Dump(bytes, 1000L * number - 1, 1000L * number + 1);
    }
}
