package dev.gitopsinterlock.check;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds for each object of a tree the same one in another tree. An object that is in several files, as where each
 * cluster has a folder, is paired with that of the same file; what is left over then, in the order of the trees, unless several objects of that name name no Namespace.
 * One whose Namespace only one tree names is the same where it alone has its name in the file. An
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
        pairing.pairWithinFiles(base, target);
        return target.stream()
                .map(manifest -> new Pair(Optional.ofNullable(pairing.baseOf.get(manifest)), manifest))
                .toList();
    }

    /** Those that have no pair, although the other tree had such an object, because nobody knows which is which. */
    public static List<Manifest> unclear(List<Manifest> base, List<Pair> pairs) {
        var left = Collections.newSetFromMap(new IdentityHashMap<Manifest, Boolean>());
        left.addAll(base);
        pairs.forEach(pair -> pair.base().ifPresent(left::remove));
        var ids = left.stream()
                .map(Manifest::id)
                .filter(id -> !id.name().isEmpty())
                .collect(toSet());
        var objects = left.stream().map(Manifest::object).collect(toSet());
        return pairs.stream()
                .filter(pair -> pair.base().isEmpty())
                .map(Pair::target)
                .filter(manifest -> ids.contains(manifest.id()) && !objects.contains(manifest.object()))
                .toList();
    }

    /** Without a Namespace several objects of one name are probably several clusters', or several Namespaces'. */
    private static Set<Object> ambiguous(List<Manifest> manifests, Function<Manifest, Object> key) {
        return manifests.stream()
                .filter(manifest -> manifest.id().namespace().isEmpty())
                .collect(groupingBy(key, counting()))
                .entrySet()
                .stream()
                .filter(same -> same.getValue() > 1)
                .map(Map.Entry::getKey)
                .collect(toSet());
    }

    private static Map<Object, List<Manifest>> byFileAndName(List<Manifest> manifests) {
        return manifests.stream()
                .collect(groupingBy(manifest -> List.of(
                        manifest.path(),
                        manifest.id().group(),
                        manifest.id().kind(),
                        manifest.id().name())));
    }

    /** Pairs what alone has its name in a file of each tree, and a Namespace in one of them. */
    private void pairWithinFiles(List<Manifest> base, List<Manifest> target) {
        var before = byFileAndName(base);
        byFileAndName(target).forEach((same, after) -> {
            var known = before.getOrDefault(same, List.of());
            if (known.size() == 1
                    && after.size() == 1
                    && isOne(known.getFirst().id(), after.getFirst().id())
                    && !baseOf.containsKey(after.getFirst())
                    && !baseOf.containsValue(known.getFirst())) {
                baseOf.put(after.getFirst(), known.getFirst());
            }
        });
    }

    private static boolean isOne(ObjectId before, ObjectId after) {
        return !after.name().isEmpty()
                && before.namespace().isEmpty() != after.namespace().isEmpty();
    }

    private void pair(List<Manifest> base, List<Manifest> target, Function<Manifest, Object> key) {
        var ambiguous = new HashSet<>(ambiguous(base, key));
        ambiguous.addAll(ambiguous(target, key));
        var free = Collections.newSetFromMap(new IdentityHashMap<Manifest, Boolean>());
        free.addAll(base);
        baseOf.values().forEach(free::remove);
        var byKey = new HashMap<Object, Deque<Manifest>>();
        for (var manifest : base) {
            if (free.contains(manifest) && !ambiguous.contains(key.apply(manifest))) {
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
