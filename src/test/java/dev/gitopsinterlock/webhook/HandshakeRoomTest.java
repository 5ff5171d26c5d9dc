package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.webhook.HandshakeRoom.Handshake;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandshakeRoomTest {

    private final HandshakeRoom room = new HandshakeRoom(3);
    private final List<String> closed = new ArrayList<>();

    @Test
    void theOldestOfTheAddressThatHasMostMakesRoom() {
        begin("api server", "a");
        begin("attacker", "b");
        begin("attacker", "c");

        begin("attacker", "d");
        begin("another", "e");

        assertThat(closed).containsExactly("b", "c");
    }

    @Test
    void whoHasFinishedHoldsNoPlace() {
        var first = begin("api server", "a");
        begin("api server", "b");
        begin("api server", "c");

        first.end();
        first.end();
        begin("api server", "d");
        assertThat(closed).isEmpty();

        begin("api server", "e");
        assertThat(closed).containsExactly("b");
    }

    private Handshake begin(String address, String name) {
        return room.begin(address, () -> closed.add(name));
    }
}
