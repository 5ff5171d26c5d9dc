package dev.gitopsinterlock.immutability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.immutability.Difference.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * Walks two trees of one kind and lists where they differ by {@link FieldSemantics}, as deep as the two can be laid
 * side by side. Both trees must come from one API server, which decoded and defaulted them.
 */
public final class Comparison {

    private static final JsonNode EMPTY = JsonNodeFactory.instance.objectNode();

    private final List<Difference> differences = new ArrayList<>();
    private boolean comparable = true;

    private final FieldSemantics semantics;

    private Comparison(FieldSemantics semantics) {
        this.semantics = semantics;
    }

    /** The differences of two trees; empty if they are not of one kind somewhere, for example a list here and a word there. */
    public static Optional<List<Difference>> between(
            FieldSemantics semantics, FieldPath at, JsonNode before, JsonNode after) {
        var comparison = new Comparison(semantics);
        if (!presence(before).equals(presence(after))) {
            comparison.compare(at, presence(before), presence(after));
        }
        return comparison.comparable ? Optional.of(List.copyOf(comparison.differences)) : Optional.empty();
    }

    /** Of two that are not equal: what is costs no path. */
    private void compare(FieldPath at, JsonNode before, JsonNode after) {
        if (before.isMissingNode() || after.isMissingNode()) {
            compareWithAbsent(at, before, after);
        } else if (before.isObject() && after.isObject()) {
            compareObjects(at, before, after);
        } else if (before.isArray() && after.isArray()) {
            compareLists(at, before, after);
        } else if (before.isContainerNode() || after.isContainerNode()) {
            comparable = false;
        } else if (!semantics.scalarsEqual(at, before, after)) {
            add(at, Kind.CHANGED);
        }
    }

    private void compareWithAbsent(FieldPath at, JsonNode before, JsonNode after) {
        var added = before.isMissingNode();
        var present = added ? after : before;
        var kind = added ? Kind.ADDED : Kind.REMOVED;
        if (present.isObject() && present.isEmpty() && semantics.isReportedThroughChildren(at)) {
            add(at, kind);
        } else if (present.isObject() && semantics.absentEqualsEmpty(at)) {
            compareObjects(at, added ? EMPTY : before, added ? after : EMPTY);
        } else if (present.isContainerNode()) {
            if (present.isObject() || !present.isEmpty()) {
                add(at, kind);
            }
        } else if (!semantics.absentEquals(at, present)) {
            add(at, kind);
        }
    }

    private void compareObjects(FieldPath at, JsonNode before, JsonNode after) {
        if (semantics.isOpaqueMap(at)) {
            if (!before.equals(after)) {
                add(at, Kind.CHANGED);
            }
            return;
        }
        var isMap = semantics.isMap(at);
        var names = new LinkedHashSet<String>();
        before.fieldNames().forEachRemaining(names::add);
        after.fieldNames().forEachRemaining(names::add);
        for (var name : names) {
            var old = presence(before.path(name));
            var fresh = presence(after.path(name));
            if (old.equals(fresh)) {
                continue;
            }
            if (isMap) {
                compare(at.key(name), old, fresh);
            } else if (!semantics.isAlias(name, before) && !semantics.isAlias(name, after)) {
                compare(at.field(name), old, fresh);
            }
        }
    }

    private void compareLists(FieldPath at, JsonNode before, JsonNode after) {
        if (before.size() != after.size()) {
            add(at, before.isEmpty() ? Kind.ADDED : after.isEmpty() ? Kind.REMOVED : Kind.CHANGED);
            return;
        }
        for (int i = 0; i < before.size(); i++) {
            var old = presence(before.path(i));
            var fresh = presence(after.path(i));
            if (!old.equals(fresh)) {
                compare(at.index(i), old, fresh);
            }
        }
    }

    private void add(FieldPath at, Kind kind) {
        differences.add(new Difference(at, kind));
    }

    /** JSON's null says the same as nothing at all. */
    private static JsonNode presence(JsonNode node) {
        return node.isNull() ? MissingNode.getInstance() : node;
    }
}
