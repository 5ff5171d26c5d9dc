package dev.gitopsinterlock.check;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds for each object of a tree the same one in another tree. An object that is in several files, as where each
 * cluster has a folder, is paired with that of the same file; what is left over then, in the order of the trees. An
 * object without a name, or with a new one, is a new one; a removed one is no change of it.
 */
public final class Pairing {

    private final IdentityHashMap<Manifest, Manifest> baseOf = new IdentityHashMap<>();

    private Pairing() {}

    /** A pair for each object of the second tree, in its order. */
    public static List<Pair> of(List<Manifest> base, List<Manifest> target) {
        var pairing = new Pairing();
        pairing.pair(base, target, manifest -> List.of(manifest.path(), manifest.id()));
        pairing.pair(base, target, Manifest::id);
        return target.stream()
                .map(manifest -> new Pair(Optional.ofNullable(pairing.baseOf.get(manifest)), manifest))
                .toList();
    }

    private void pair(List<Manifest> base, List<Manifest> target, Function<Manifest, Object> key) {
        var free = Collections.newSetFromMap(new IdentityHashMap<Manifest, Boolean>());
        free.addAll(base);
        baseOf.values().forEach(free::remove);
        var byKey = new HashMap<Object, Deque<Manifest>>();
        for (var manifest : base) {
            if (free.contains(manifest)) {
                byKey.computeIfAbsent(key.apply(manifest), same -> new ArrayDeque<>())
                        .add(manifest);
            }
        }
        for (var manifest : target) {
            var candidates = byKey.get(key.apply(manifest));
            if (!manifest.id().name().isEmpty()
                    && !baseOf.containsKey(manifest)
                    && candidates != null
                    && !candidates.isEmpty()) {
                baseOf.put(manifest, candidates.removeFirst());
            }
        }
    }
}
