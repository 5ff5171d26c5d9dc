package dev.gitopsinterlock.cluster.api;

import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.cluster.api.Events.Happening;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Which Event tells of what happens again and again to an object, and how often it did. Knows the last {@value
 * #MAX_KNOWN}; what is forgotten begins anew. Thread-safe.
 */
final class EventSeries {

    private static final int MAX_KNOWN = 1000;
    private static final long PAUSE = Duration.ofSeconds(10).toNanos();

    /** By when it last happened. */
    private final LinkedHashMap<Key, State> known = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * What happens to which object.
     *
     * @param digest of what is said of it: as good as the text, and shorter
     */
    record Key(String uid, String reason, int digest) {
        static Key of(ObjectReference object, Happening happening) {
            return new Key(object.uid(), happening.reason(), happening.note().hashCode());
        }
    }

    /** What is to be sent. */
    sealed interface Step {}

    /** A new Event of this name. */
    record Begun(String name) implements Step {}

    /** How often it has happened, for the Event of this name. */
    record Continued(String name, int count) implements Step {}

    /** Nothing now. */
    record Untold() implements Step {}

    private static final class State {
        private final String name = Events.PREFIX + UUID.randomUUID();
        private long toldAt;
        private int count = 1;
    }

    /**
     * What to do about a happening, once more perhaps.
     *
     * @param nanoTime as of System
     * @param mayTell whether anything may be sent now; asked only where something would be
     */
    synchronized Step next(Key key, long nanoTime, BooleanSupplier mayTell) {
        var state = known.get(key);
        if (state == null) {
            return mayTell.getAsBoolean() ? begin(key, nanoTime) : new Untold();
        }
        state.count++;
        if (nanoTime - state.toldAt < PAUSE || !mayTell.getAsBoolean()) {
            return new Untold();
        }
        state.toldAt = nanoTime;
        return new Continued(state.name, state.count);
    }

    private Step begin(Key key, long nanoTime) {
        var state = new State();
        state.toldAt = nanoTime;
        known.put(key, state);
        if (known.size() > MAX_KNOWN) {
            known.pollFirstEntry();
        }
        return new Begun(state.name);
    }

    synchronized void forget(Key key) {
        known.remove(key);
    }
}
