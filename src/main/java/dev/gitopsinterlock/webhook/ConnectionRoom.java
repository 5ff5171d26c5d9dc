package dev.gitopsinterlock.webhook;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who may stay connected. A new connection always gets a place while any other can go: first those of strangers, which
 * are idle or else keep us busy for longest, then API servers' that are idle. One address has a few places for
 * connections that showed nothing yet, so that it cannot take them all. Thread-safe.
 */
final class ConnectionRoom {

    /** Strangers first, idle ones before busy ones, and of those the one whose last use began or ended first. */
    private static final Comparator<Place> LEAVING = Comparator.comparing((Place place) -> place.isProven)
            .thenComparing(place -> !place.isIdle())
            .thenComparingLong(place -> place.lastUse);

    private final int places;
    private final int unauthenticatedPlaces;
    private final Set<Place> open = new LinkedHashSet<>();
    private long uses;

    /**
     * Room for so many.
     *
     * @param places in all
     * @param unauthenticatedPlaces of one address, for connections on which no API server has shown itself
     */
    ConnectionRoom(int places, int unauthenticatedPlaces) {
        this.places = places;
        this.unauthenticatedPlaces = unauthenticatedPlaces;
    }

    /** Why a connection is closed. Also a metric label. */
    enum Why {
        /** Nothing came in on it, nor from its address anything that proved to be an API server's. */
        NO_REQUEST,
        /** Its address has too many. */
        ADDRESS_FULL,
        /** Another one needed the place. */
        MAKES_ROOM,
        /** API servers use all others. */
        ALL_IN_USE,
        /** Too many have begun, and no address has more of them. */
        UNFINISHED_HANDSHAKE
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
         * @param byApiServer whether it proved that, or nobody can
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

        /**
         * Closes it if no request has come in. An API server connects for each request that finds none of its connections
         * free, may then use another one that is, and comes back to the new one later: it must not be closed under that.
         */
        void expectUse() {
            boolean isInVain;
            synchronized (ConnectionRoom.this) {
                isInVain = !wasUsed && !isBesideAnApiServer() && open.remove(this);
            }
            if (isInVain) {
                closer.close(Why.NO_REQUEST);
            }
        }

        private boolean isBesideAnApiServer() {
            return open.stream().anyMatch(other -> other.isProven && other.address.equals(address));
        }

        private boolean isIdle() {
            return inUse == 0;
        }

        /** No API server's is interrupted. */
        private boolean mayLeave() {
            return !isProven || isIdle();
        }
    }

    /** A place for a new connection, which may be closed before this returns. */
    Place enter(String address, Closer closer) {
        var closings = new ArrayList<Runnable>();
        Place place;
        synchronized (this) {
            place = new Place(address, closer);
            open.add(place);
            var unauthenticated = open.stream()
                    .filter(other -> !other.isProven && other.address.equals(address))
                    .toList();
            if (unauthenticated.size() > unauthenticatedPlaces) {
                var leaving = firstToLeave(unauthenticated.stream().filter(Place::isIdle), place);
                closings.add(close(leaving.orElse(place), Why.ADDRESS_FULL));
            }
            if (open.size() > places) {
                var leaving = firstToLeave(open.stream().filter(Place::mayLeave), place);
                closings.add(close(leaving.orElse(place), leaving.isPresent() ? Why.MAKES_ROOM : Why.ALL_IN_USE));
            }
        }
        closings.forEach(Runnable::run);
        return place;
    }

    private static Optional<Place> firstToLeave(Stream<Place> among, Place newest) {
        return among.filter(place -> place != newest).min(LEAVING);
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
        return open.size() >= places && open.stream().noneMatch(Place::mayLeave);
    }
}
