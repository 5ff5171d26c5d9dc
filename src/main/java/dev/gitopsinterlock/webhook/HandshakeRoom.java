package dev.gitopsinterlock.webhook;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Who may be in a handshake. A new connection always gets a place: the oldest goes of the address that has most of them,
 * so that one address that never finishes its handshakes keeps no other from theirs. Thread-safe.
 */
final class HandshakeRoom {

    private final int places;
    private final Set<Handshake> open = new LinkedHashSet<>();

    HandshakeRoom(int places) {
        this.places = places;
    }

    /** One connection's. */
    final class Handshake {

        private final String address;
        private final Runnable closer;

        private Handshake(String address, Runnable closer) {
            this.address = address;
            this.closer = closer;
        }

        /** It was finished, or the connection is closed. Idempotent. */
        void end() {
            synchronized (HandshakeRoom.this) {
                open.remove(this);
            }
        }
    }

    /**
     * A place for a new connection.
     *
     * @param closer ends the connection, when another one needs the place
     */
    Handshake begin(String address, Runnable closer) {
        var handshake = new Handshake(address, closer);
        Runnable closing = () -> {};
        synchronized (this) {
            if (open.size() >= places) {
                var leaving = firstToLeave();
                open.remove(leaving);
                closing = leaving.closer;
            }
            open.add(handshake);
        }
        closing.run();
        return handshake;
    }

    private Handshake firstToLeave() {
        var counts = open.stream().collect(groupingBy(handshake -> handshake.address, counting()));
        var most = counts.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        return open.stream()
                .filter(handshake -> counts.getOrDefault(handshake.address, 0L) == most)
                .findFirst()
                .orElseThrow();
    }
}
