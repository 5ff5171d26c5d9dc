package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object in their order. Equal to any other map of the same members; an object of a Job has two or
 * three of them, and then this takes a third of what a map with a table takes. What it takes is counted.
 */
final class Members extends AbstractMap<String, JsonNode> {

    /** Up to here a name is found by looking at all. */
    private static final int FEW = 8;

    /** Two members: an environment variable's. */
    private static final int FIRST = 4;

    private static final Object[] NONE = {};
    private static final int TABLE = 56;
    private static final int TABLE_ENTRY = 56;

    private final CountedNodes nodes;

    /** Names and values in turn. */
    private Object[] slots = NONE;

    private int size;
    private @Nullable Map<String, JsonNode> many;

    Members(CountedNodes nodes) {
        this.nodes = nodes;
    }

    @Override
    public int size() {
        return many == null ? size : many.size();
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return many == null ? at(name) >= 0 : many.containsKey(name);
    }

    @Override
    @SuppressWarnings("NullAway") // the interface is not annotated: null where there is none
    public @Nullable JsonNode get(@Nullable Object name) {
        if (many != null) {
            return many.get(name);
        }
        var at = at(name);
        return at < 0 ? null : value(at);
    }

    @Override
    @SuppressWarnings("NullAway") // as above
    public @Nullable JsonNode put(String name, JsonNode value) {
        if (many != null) {
            return putIntoTable(many, name, value);
        }
        var at = at(name);
        if (at >= 0) {
            var before = value(at);
            slots[at + 1] = value;
            return before;
        }
        if (size == FEW) {
            var table = new LinkedHashMap<String, JsonNode>();
            forEach(table::put);
            nodes.grown(TABLE + TABLE_ENTRY * (long) size);
            slots = NONE;
            many = table;
            return putIntoTable(table, name, value);
        }
        if (2 * size == slots.length) {
            slots = Arrays.copyOf(slots, size == 0 ? FIRST : 2 * slots.length);
            nodes.grown(16 + 4L * slots.length);
        }
        nodes.named(name);
        slots[2 * size] = name;
        slots[2 * size + 1] = value;
        size++;
        return null;
    }

    @SuppressWarnings("NullAway") // as above
    private @Nullable JsonNode putIntoTable(Map<String, JsonNode> table, String name, JsonNode value) {
        nodes.grown(TABLE_ENTRY);
        nodes.named(name);
        return table.put(name, value);
    }

    @Override
    @SuppressWarnings("NullAway") // as above
    public @Nullable JsonNode remove(@Nullable Object name) {
        if (many != null) {
            return many.remove(name);
        }
        var at = at(name);
        if (at < 0) {
            return null;
        }
        var before = value(at);
        removeAt(at);
        return before;
    }

    private void removeAt(int at) {
        System.arraycopy(slots, at + 2, slots, at, 2 * size - at - 2);
        size--;
        Arrays.fill(slots, 2 * size, 2 * size + 2, null);
    }

    /** Where in the slots; -1 for nowhere. */
    private int at(@Nullable Object name) {
        for (int at = 0; at < 2 * size; at += 2) {
            if (slots[at].equals(name)) {
                return at;
            }
        }
        return -1;
    }

    private JsonNode value(int at) {
        return (JsonNode) slots[at + 1];
    }

    @Override
    public Set<Entry<String, JsonNode>> entrySet() {
        return many == null ? new Entries() : many.entrySet();
    }

    /** Two objects of one review have nearly always the same members in the same order. */
    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof Members members)) {
            return super.equals(other);
        }
        if (many == null && members.many == null) {
            return size == members.size && isAmong(members);
        }
        return super.equals(other);
    }

    private boolean isAmong(Members others) {
        for (int at = 0; at < 2 * size; at += 2) {
            var there = slots[at].equals(others.slots[at]) ? at : others.at(slots[at]);
            if (there < 0 || !slots[at + 1].equals(others.slots[there + 1])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return super.hashCode();
    }

    private final class Entries extends AbstractSet<Entry<String, JsonNode>> {

        @Override
        public int size() {
            return size;
        }

        @Override
        public Iterator<Entry<String, JsonNode>> iterator() {
            return new Iterator<>() {

                private int next;

                @Override
                public boolean hasNext() {
                    return next < size;
                }

                @Override
                public Entry<String, JsonNode> next() {
                    if (!hasNext()) {
                        throw new NoSuchElementException();
                    }
                    var at = 2 * next++;
                    return new Member(at);
                }

                @Override
                public void remove() {
                    next--;
                    removeAt(2 * next);
                }
            };
        }
    }

    /** Writes through, as those of other maps do. */
    private final class Member extends SimpleEntry<String, JsonNode> {

        private static final long serialVersionUID = 1;

        private final int at;

        Member(int at) {
            super((String) slots[at], value(at));
            this.at = at;
        }

        @Override
        public JsonNode setValue(JsonNode value) {
            slots[at + 1] = value;
            return super.setValue(value);
        }
    }
}
