package dev.gitopsinterlock.webhook;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who may stay connected. A new connection always gets a place while any other is idle: that one goes which was not in
 * use for longest, those of strangers before the API servers'. One address has a few places for connections that showed
 * nothing yet, so that it cannot take them all. Thread-safe.
 */
final class ConnectionRoom {

    private final int places;
    private final int placesOfStrangers;
    private final Set<Place> open = new LinkedHashSet<>();
    private long uses;

    /**
     * Room for so many.
     *
     * @param places in all
     * @param placesOfStrangers of one address, for connections on which no API server has shown itself
     */
    ConnectionRoom(int places, int placesOfStrangers) {
        this.places = places;
        this.placesOfStrangers = placesOfStrangers;
    }

    /** Why a connection is closed. Also a metric label. */
    enum Why {
        /** Nothing came in on it. */
        NO_REQUEST,
        /** Its address has too many. */
        ADDRESS_FULL,
        /** Another one needed the place. */
        MAKES_ROOM,
        /** All others were in use. */
        ALL_IN_USE
    }

    /** Ends a connection. */
    @FunctionalInterface
    interface Closer {
        void close(Why why);
    }

    /** One connection's. */
    final class Place {

        private final String address;
        private final Closer closer;
        private boolean isProven;
        private boolean wasUsed;
        private int inUse;
        private long lastUse;

        private Place(String address, Closer closer) {
            this.address = address;
            this.closer = closer;
            this.lastUse = uses++;
        }

        /**
         * A request came in.
         *
         * @param byApiServer whether it proved that
         */
        void begin(boolean byApiServer) {
            synchronized (ConnectionRoom.this) {
                inUse++;
                wasUsed = true;
                isProven |= byApiServer;
                lastUse = uses++;
            }
        }

        /** It is answered. */
        void end() {
            synchronized (ConnectionRoom.this) {
                inUse--;
                lastUse = uses++;
            }
        }

        /** The connection is closed. */
        void leave() {
            synchronized (ConnectionRoom.this) {
                open.remove(this);
            }
        }

        /** Closes it if no request has come in. */
        void expectUse() {
            boolean isUsed;
            synchronized (ConnectionRoom.this) {
                isUsed = wasUsed || !open.remove(this);
            }
            if (!isUsed) {
                closer.close(Why.NO_REQUEST);
            }
        }

        private boolean isIdle() {
            return inUse == 0;
        }
    }

    /** A place for a new connection, which may be closed before this returns. */
    Place enter(String address, Closer closer) {
        var closings = new ArrayList<Runnable>();
        Place place;
        synchronized (this) {
            place = new Place(address, closer);
            open.add(place);
            var strangers = open.stream()
                    .filter(other -> !other.isProven && other.address.equals(address))
                    .toList();
            if (strangers.size() > placesOfStrangers) {
                closings.add(close(leastUsed(strangers, place).orElse(place), Why.ADDRESS_FULL));
            }
            if (open.size() > places) {
                var idle = leastUsed(
                                open.stream().filter(other -> !other.isProven).toList(), place)
                        .or(() -> leastUsed(List.copyOf(open), place));
                closings.add(close(idle.orElse(place), idle.isPresent() ? Why.MAKES_ROOM : Why.ALL_IN_USE));
            }
        }
        closings.forEach(Runnable::run);
        return place;
    }

    private static Optional<Place> leastUsed(List<Place> among, Place except) {
        return among.stream()
                .filter(place -> place != except && place.isIdle())
                .min(Comparator.comparingLong(place -> place.lastUse));
    }

    private Runnable close(Place place, Why why) {
        open.remove(place);
        return () -> place.closer.close(why);
    }

    synchronized int open() {
        return open.size();
    }

    synchronized int inUse() {
        return (int) open.stream().filter(place -> !place.isIdle()).count();
    }

    /** Nobody else gets in until a request is answered. */
    synchronized boolean isFull() {
        return open.size() >= places && open.stream().noneMatch(Place::isIdle);
    }
}
