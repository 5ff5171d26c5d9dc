package dev.gitopsinterlock.patch;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.patch.JsonPatch.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An object that is being changed, together with the patch that makes the same changes to the original. The original
 * is never touched, and shares with the changed one what is the same in both: neither is to be changed by anybody else.
 * A change that changes nothing leaves no trace, so doing all of it again gives an empty patch.
 *
 * <p>For members of objects only; a list is replaced as a whole. For one thread.
 */
public final class PatchBuilder {

    private final JsonNode original;
    private final List<Operation> operations = new ArrayList<>();
    private final Set<ObjectNode> copies = Collections.newSetFromMap(new IdentityHashMap<>());
    private Optional<ObjectNode> copy = Optional.empty();

    public PatchBuilder(JsonNode original) {
        this.original = original;
    }

    /** The object as it is now; not to be changed by the caller. */
    public JsonNode object() {
        return copy.<JsonNode>map(changed -> changed).orElse(original);
    }

    public JsonPatch patch() {
        return new JsonPatch(operations);
    }

    /** Adds or replaces a member. Objects that are missing on the way are made. */
    public PatchBuilder set(JsonPointer at, JsonNode value) {
        if (object().at(at).equals(value)) {
            return this;
        }
        var parent = at.head();
        if (!object().at(parent).isObject()) {
            set(parent, JsonNodeFactory.instance.objectNode());
        }
        changed(parent).set(name(at), value);
        operations.add(new Operation(at, Optional.of(value)));
        return this;
    }

    public PatchBuilder set(JsonPointer at, String text) {
        return set(at, TextNode.valueOf(text));
    }

    /** Takes a member away, if it is there. */
    public PatchBuilder remove(JsonPointer at) {
        if (object().at(at).isMissingNode()) {
            return this;
        }
        changed(at.head()).remove(name(at));
        operations.add(new Operation(at, Optional.empty()));
        return this;
    }

    /** The place of a member whose name may hold any character. */
    public static JsonPointer at(String... names) {
        var at = JsonPointer.empty();
        for (var name : names) {
            at = at.appendProperty(name);
        }
        return at;
    }

    /** A copy of the object at the place, in copies of those around it; all else is the original's. */
    private ObjectNode changed(JsonPointer at) {
        var whole = copyOf(object());
        var object = whole;
        for (var rest = at; !rest.matches(); rest = rest.tail()) {
            var inner = copyOf(object.path(rest.getMatchingProperty()));
            object.set(rest.getMatchingProperty(), inner);
            object = inner;
        }
        copy = Optional.of(whole);
        return object;
    }

    /** Copied once. */
    private ObjectNode copyOf(JsonNode node) {
        var object = (ObjectNode) node;
        if (copies.contains(object)) {
            return object;
        }
        ObjectNode fresh = JsonNodeFactory.instance.objectNode().setAll(object);
        copies.add(fresh);
        return fresh;
    }

    private static String name(JsonPointer at) {
        return at.last().getMatchingProperty();
    }
}
