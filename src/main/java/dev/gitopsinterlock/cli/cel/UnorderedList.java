package dev.gitopsinterlock.cli.cel;

import java.util.AbstractList;
import java.util.List;
import java.util.function.Function;

/** A list of the type {@code map} or {@code set}: equal to one with the same items, whatever their order. */
final class UnorderedList extends AbstractList<Object> {

    private final List<Object> items;
    private final Function<Object, Object> key;

    /**
     * A list.
     *
     * @param key of an item, which no other has
     */
    UnorderedList(List<Object> items, Function<Object, Object> key) {
        this.items = items;
        this.key = key;
    }

    Object key(Object item) {
        return key.apply(item);
    }

    @Override
    public Object get(int index) {
        return items.get(index);
    }

    @Override
    public int size() {
        return items.size();
    }
}
