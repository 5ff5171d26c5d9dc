package dev.gitopsinterlock.gate;

import java.util.List;
import java.util.Optional;

/** What is kept of the objects of {@link WatchedKind}s. From memory; any thread may ask. */
public interface KnownObjects {

    /**
     * All objects of the kind.
     *
     * @return empty where it is not known: not read yet, not readable, or too old to be trusted. A cluster without the kind
     *     is known to have none
     */
    <T> Optional<List<T>> of(WatchedKind<T> kind);
}
