package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionTimeoutTest {

    @ParameterizedTest
    @CsvSource({
        "10s, 9500",
        "1.25s, 750",
        "8.123456789s, 7623",
        "700ms, 200",
        "1m30s, 89500",
        "0s, -500",
        "'', 9500",
        "soon, 9500",
        "-3s, 9500",
        "99999999999s, 9500"
    })
    void theApiServersWordsAreUnderstoodAndSomeTimeKeptForTheWayBack(String timeout, long millis) {
        assertThat(AdmissionTimeout.of(timeout).toMillis()).isEqualTo(millis);
    }

    @Test
    void whoSaysNothingHasTheRegistrationsTime() {
        assertThat(AdmissionTimeout.of(null)).isEqualTo(Duration.ofMillis(9500));
    }
}
