package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who comes by a forwarded port. */
class StatusServerTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, localhost, true",
        "127.0.0.1, 127.0.0.1, true",
        "::1, localhost, true",
        "0:0:0:0:0:0:0:1, '[::1]', true",
        "10.0.0.7, localhost, false",
        "127.0.0.1, rebound.example, false",
        "127.0.0.1, 10.0.0.7, false",
        "fe80::1, localhost, false"
    })
    void onlyWhoComesFromInsideByANameOfThat(String from, String to, boolean isNear) {
        assertThat(StatusServer.isNear(SocketAddress.inetSocketAddress(1, from), HostAndPort.create(to, 9000)))
                .isEqualTo(isNear);
    }

    @Test
    void whoeverSaysNothingIsNot() {
        assertThat(StatusServer.isNear(null, null)).isFalse();
        assertThat(StatusServer.isNear(SocketAddress.inetSocketAddress(1, "127.0.0.1"), null))
                .isFalse();
    }
}
