package dev.gitopsinterlock.build.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gitopsinterlock.build.image.ImageAotCache.Dump;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Caches as a busy emulator leaves them: each with a checksum and a time of its own, some with a stray pointer. */
class ImageAotCacheTest {

    private static final int HEADER = 4096;
    private static final long CLEAN = 7;

    @Test
    void aPointerThatFewHaveIsLeftOut() {
        var voted = ByteBuffer.wrap(
                        ImageAotCache.voted(List.of(dump(1, 4711, CLEAN), dump(2, CLEAN, 815), dump(3, CLEAN, CLEAN))))
                .order(ByteOrder.nativeOrder());

        assertThat(voted.getInt(0)).as("checksum").isZero();
        assertThat(voted.getLong(HEADER)).as("time").isZero();
        assertThat(voted.getLong(HEADER + 8)).isEqualTo(CLEAN);
        assertThat(voted.getLong(HEADER + 16)).isEqualTo(CLEAN);
    }

    @Test
    void twoThatAgreeOutweighThreeThatDoNot() {
        var voted = ByteBuffer.wrap(ImageAotCache.voted(
                        List.of(dump(1, 4711), dump(2, CLEAN), dump(3, 815), dump(4, 42), dump(5, CLEAN))))
                .order(ByteOrder.nativeOrder());

        assertThat(voted.getLong(HEADER + 8)).isEqualTo(CLEAN);
    }

    @Test
    void wordsOfWhichNobodyKnowsAnythingAreNotMadeUp() {
        assertThatThrownBy(() ->
                        ImageAotCache.voted(List.of(dump(1, 4711, CLEAN), dump(2, 815, CLEAN), dump(3, 42, CLEAN))))
                .hasMessage("of 3 AOT caches from the same files no two agree at byte 4104");
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
