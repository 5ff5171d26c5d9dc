package dev.gitopsinterlock.effect;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.List;
import java.util.TreeSet;

/**
 * What others write to an object that is deleted but not gone yet, because its Pods are let go first: the API server stores it and
 * says so, so it goes into the object that takes its place. Where such a write and the edit change the same field, or items
 * of the same list, the edit's value stays, as if the edit had come last. Pure.
 */
public final class LateWrites {

    /** Of which an edit that leaves one away takes only what was in it. */
    private static final List<JsonPointer> MAPS =
            List.of(PatchBuilder.at("metadata", "labels"), PatchBuilder.at("metadata", "annotations"));

    private LateWrites() {}

    /**
     * The new object with what was written to the old one.
     *
     * @param ordered the new object
     * @param seen the old one that it was made from
     * @param last the old one as it was when it went
     * @return the ordered one itself where nothing is to be carried over
     */
    public static JsonNode into(JsonNode ordered, JsonNode seen, JsonNode last) {
        var object = new PatchBuilder(ordered);
        MAPS.forEach(map -> carry(object, map, seen, last));
        carry(object, PatchBuilder.at("metadata", "ownerReferences"), seen, last);
        carry(object, PatchBuilder.at("spec"), seen, last);
        return object.patch().isEmpty()
                ? ordered
                : ReplacedMark.writtenTo(object).object();
    }

    private static void carry(PatchBuilder object, JsonPointer at, JsonNode seen, JsonNode last) {
        var ordered = object.object().at(at);
        var merged = MAPS.contains(at)
                ? members(ordered, seen.at(at), last.at(at))
                : merged(ordered, seen.at(at), last.at(at));
        if (merged.isMissingNode()) {
            object.remove(at);
        } else {
            object.set(at, merged);
        }
    }

    private static JsonNode merged(JsonNode ordered, JsonNode seen, JsonNode last) {
        if (last.equals(seen)) {
            return ordered;
        }
        if (ordered.equals(seen)) {
            return last;
        }
        if (!ordered.isObject()
                || !(seen.isObject() || seen.isMissingNode())
                || !(last.isObject() || last.isMissingNode())) {
            return ordered;
        }
        return members(ordered, seen, last);
    }

    private static JsonNode members(JsonNode ordered, JsonNode seen, JsonNode last) {
        var merged = JsonNodeFactory.instance.objectNode();
        var names = new TreeSet<String>();
        List.of(ordered, last).forEach(each -> each.fieldNames().forEachRemaining(names::add));
        for (var name : names) {
            var value = merged(ordered.path(name), seen.path(name), last.path(name));
            if (!value.isMissingNode()) {
                merged.set(name, value);
            }
        }
        return merged.isEmpty() && ordered.isMissingNode() ? ordered : merged;
    }
}
