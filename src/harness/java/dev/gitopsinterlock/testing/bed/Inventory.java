package dev.gitopsinterlock.testing.bed;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The objects of a control plane.
 *
 * @param states each one's generation, labels and annotations, which controllers leave alone when they write a status
 */
record Inventory(Map<Item, String> states) {

    private static final String NAMESPACES = "namespaces";

    /**
     * An object.
     *
     * @param resource in the plural, with its group
     * @param namespace empty where it is in none
     */
    record Item(String resource, String namespace, String name) {

        static Item definition(String name) {
            return new Item("customresourcedefinitions.apiextensions.k8s.io", "", name);
        }

        @Override
        public String toString() {
            return namespace.isEmpty() ? name : namespace + "/" + name;
        }
    }

    /** Drops what is in a Namespace that is not there. */
    Inventory {
        var all = states.keySet();
        states = all.stream()
                .filter(item -> item.namespace().isEmpty() || all.contains(new Item(NAMESPACES, "", item.namespace())))
                .collect(toUnmodifiableMap(item -> item, states::get));
    }

    /** Without these Namespaces. */
    Inventory without(Set<String> namespaces) {
        return new Inventory(states.entrySet().stream()
                .filter(entry -> !entry.getKey().resource().equals(NAMESPACES)
                        || !namespaces.contains(entry.getKey().name()))
                .collect(toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /**
     * What was added, changed and removed since then, by kind and name; empty where nothing was. A Namespace stands for
     * what is in it.
     *
     * @param begin what changed or is gone has to have been there then: a class may do so with what it made itself before
     *     a tool started beside it
     * @param allowed may differ
     */
    String differencesFrom(Inventory before, Inventory begin, Set<Item> allowed) {
        return Stream.of(
                        words("adds", before.missing(this), allowed),
                        words("changes", before.changed(this).filter(begin.states::containsKey), allowed),
                        words("removes", missing(before).filter(begin.states::containsKey), allowed))
                .filter(words -> !words.isEmpty())
                .collect(joining("; "));
    }

    /** What the other one has, and this one has not, but for what is in a Namespace that it has not either. */
    private Stream<Item> missing(Inventory other) {
        return other.states.keySet().stream()
                .filter(item -> !states.containsKey(item))
                .filter(item ->
                        item.namespace().isEmpty() || states.containsKey(new Item(NAMESPACES, "", item.namespace())));
    }

    private Stream<Item> changed(Inventory other) {
        return states.keySet().stream()
                .filter(other.states::containsKey)
                .filter(item -> !Objects.equals(states.get(item), other.states.get(item)));
    }

    private static String words(String verb, Stream<Item> items, Set<Item> allowed) {
        var byResource = items.filter(item -> !allowed.contains(item))
                .collect(groupingBy(Item::resource, TreeMap::new, mapping(Item::toString, toCollection(TreeSet::new))));
        return byResource.isEmpty()
                ? ""
                : byResource.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + String.join(", ", entry.getValue()))
                        .collect(joining(", ", verb + " ", ""));
    }
}
