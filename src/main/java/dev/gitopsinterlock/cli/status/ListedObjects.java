package dev.gitopsinterlock.cli.status;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cli.cluster.PartialReader;
import dev.gitopsinterlock.gate.KnownObjects;
import dev.gitopsinterlock.gate.WatchedKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What was listed of a cluster for the makers of restarts. */
final class ListedObjects implements KnownObjects {

    private final PartialReader reader;
    private final Map<WatchedKind<?>, List<Object>> lists = new HashMap<>();

    ListedObjects(PartialReader reader) {
        this.reader = reader;
    }

    /** Lists objects once for all who want something of them. */
    void list(String what, String path, List<WatchedKind<?>> wanted, Consumer<JsonNode> other) {
        var objects = wanted.stream()
                .filter(kind -> kind.path().equals(path))
                .collect(toMap(kind -> kind, kind -> new ArrayList<Object>()));
        var isKnown = reader.list(what, path, object -> {
            other.accept(object);
            objects.forEach((kind, of) -> kind.reader().apply(object).ifPresent(of::add));
        });
        if (isKnown) {
            lists.putAll(objects);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // each list is of what the kind's reader gave
    public <T> Optional<List<T>> of(WatchedKind<T> kind) {
        return Optional.ofNullable((List<T>) lists.get(kind));
    }
}
