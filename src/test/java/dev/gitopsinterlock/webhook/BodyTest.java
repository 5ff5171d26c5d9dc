package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class BodyTest {

    @Property
    void mentionsWhatItsPiecesTogetherContain(@ForAll("pieces") List<String> pieces, @ForAll("words") String word) {
        assertThat(body(pieces).mentions(word))
                .isEqualTo(String.join("", pieces).contains(word));
    }

    @Test
    void aWordIsFoundAcrossPieces() {
        var before = "x".repeat(5000);

        assertThat(body(List.of(before + "ab", "c", "d" + before)).mentions("abcd"))
                .isTrue();
        assertThat(body(List.of(before + "ab", "d" + before)).mentions("abcd")).isFalse();
    }

    private static Body body(List<String> pieces) {
        var body = new Body();
        pieces.forEach(piece -> body.add(piece.getBytes(US_ASCII)));
        return body;
    }

    /** Long ones are kept as they are, short ones are joined. */
    @Provide
    Arbitrary<List<String>> pieces() {
        var text = Arbitraries.strings().withChars("ab").ofMaxLength(9);
        return Arbitraries.oneOf(
                        text, text.map(piece -> piece + "b".repeat(4096)), text.map(piece -> "a".repeat(4096) + piece))
                .list()
                .ofMaxSize(6);
    }

    @Provide
    Arbitrary<String> words() {
        return Arbitraries.strings().withChars("ab").ofMinLength(1).ofMaxLength(6);
    }
}
