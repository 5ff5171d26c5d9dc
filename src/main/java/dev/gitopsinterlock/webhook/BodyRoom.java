package dev.gitopsinterlock.webhook;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes of bodies the process holds, over all requests. What has not been sent takes no room, so that whoever
 * sends slowly costs nobody anything. Once the room is full, bodies wait in their senders' hands, and one after another
 * is read to its end all the same: the API servers' first, which wait for no stranger's, then in the order in which they
 * came. Thread-safe.
 */
final class BodyRoom {

    private final long size;
    private final Set<Place> waiting = new LinkedHashSet<>();
    private long held;
    private @Nullable Place prioritized;

    /** A stranger's that an API server's took the turn of; one at a time, so that there is an end to what is held. */
    private @Nullable Place deferred;

    /**
     * Room for so many bytes, and for two whole bodies besides: one that is read to its end, and one that was.
     *
     * @param size in bytes
     */
    BodyRoom(long size) {
        this.size = size;
    }

    /** One body's share of the room. */
    final class Place {

        private final boolean isPreferred;
        private final Runnable pause;
        private final Runnable resume;
        private long bytes;
        private boolean isReleased;

        private Place(boolean isPreferred, Runnable pause, Runnable resume) {
            this.isPreferred = isPreferred;
            this.pause = pause;
            this.resume = resume;
        }

        /** Has come in. Where there is no more room the sender is paused, until there is. */
        void add(int more) {
            List<Runnable> calls = new ArrayList<>();
            synchronized (BodyRoom.this) {
                if (isReleased) {
                    return;
                }
                bytes += more;
                held += more;
                if (held > size && prioritized != this) {
                    waiting.add(this);
                    calls.add(pause);
                    if (isPreferred && prioritized != null && !prioritized.isPreferred && isNoneElseDeferred()) {
                        // that one is paused with its next piece
                        deferred = prioritized;
                        prioritized = null;
                    }
                    calls.addAll(next());
                }
            }
            calls.forEach(Runnable::run);
        }

        /** Whether others wait for it alone to come to its end. */
        boolean isBlocking() {
            synchronized (BodyRoom.this) {
                return prioritized == this && !waiting.isEmpty();
            }
        }

        /** Its bytes are not held any more. Safe to repeat. */
        void release() {
            List<Runnable> calls;
            synchronized (BodyRoom.this) {
                if (isReleased) {
                    return;
                }
                isReleased = true;
                held -= bytes;
                waiting.remove(this);
                if (prioritized == this) {
                    prioritized = null;
                }
                if (deferred == this) {
                    deferred = null;
                }
                calls = next();
            }
            calls.forEach(Runnable::run);
        }
    }

    /**
     * A share, empty at first.
     *
     * @param isPreferred goes before those who are not, where there is a queue
     * @param pause asks the sender to wait; called by the thread that adds
     * @param resume lets it go on; called by any thread
     */
    Place enter(boolean isPreferred, Runnable pause, Runnable resume) {
        return new Place(isPreferred, pause, resume);
    }

    synchronized long held() {
        return held;
    }

    synchronized int waiting() {
        return waiting.size();
    }

    private boolean isNoneElseDeferred() {
        return deferred == null || deferred == prioritized;
    }

    /** Those who may go on. */
    private List<Runnable> next() {
        var calls = new ArrayList<Runnable>();
        if (held <= size) {
            waiting.forEach(place -> calls.add(place.resume));
            waiting.clear();
        } else if (prioritized == null) {
            waiting.stream()
                    .filter(place -> place.isPreferred)
                    .findFirst()
                    .or(() ->
                            waiting.stream().filter(place -> place == deferred).findFirst())
                    .or(() -> waiting.stream().findFirst())
                    .ifPresent(place -> {
                        waiting.remove(place);
                        prioritized = place;
                        calls.add(place.resume);
                    });
        }
        return calls;
    }
}
