package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallerTokenTest {

    @Test
    void withoutAWordEverybodyIsTrusted() {
        assertThat(new CallerToken(Optional.empty()).isIn("")).isTrue();
        assertThat(new CallerToken(Optional.empty()).isIn("/anything")).isTrue();
    }

    @Test
    void withAWordItHasToBeTheWholeEnding() {
        var token = new CallerToken(Optional.of("abcdefghij0123456789"));

        assertThat(token.isIn("/abcdefghij0123456789")).isTrue();
        assertThat(token.isIn("")).isFalse();
        assertThat(token.isIn("/")).isFalse();
        assertThat(token.isIn("/abcdefghij012345678")).isFalse();
        assertThat(token.isIn("/abcdefghij01234567890")).isFalse();
    }
}
