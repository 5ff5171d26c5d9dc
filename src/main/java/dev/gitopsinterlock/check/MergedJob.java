package dev.gitopsinterlock.check;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.job.manifest.StoredJob;
import dev.gitopsinterlock.tool.FieldManager.Method;

/**
 * The Job that is stored when a tool patches a live one to what a new manifest says: fields that are in neither manifest
 * stay as the API server chose them for the old one.
 */
final class MergedJob {

    private static final JsonPointer SELECTOR = JsonPointer.compile("/spec/selector");

    private MergedJob() {}

    /**
     * Merges.
     *
     * @param uid that both Jobs have
     * @param method of the tool: by server-side apply a selector that is written takes the place of the live one, and
     *     where nobody knows, that is assumed
     */
    static ObjectNode of(JsonNode base, JsonNode target, String uid, Method method) {
        var merged = StoredJob.of(target, uid);
        var selector = merged.at(SELECTOR).deepCopy();
        keep(merged, target, StoredJob.of(base, uid), base);
        if (method != Method.UPDATE && selector.isObject()) {
            merged.withObject("/spec").set("selector", selector);
        }
        return merged;
    }

    private static void keep(ObjectNode merged, JsonNode target, JsonNode live, JsonNode base) {
        for (var field : live.properties()) {
            var name = field.getKey();
            if (isAbsent(target.path(name)) && isAbsent(base.path(name))) {
                merged.set(name, field.getValue());
            } else {
                keepInside(merged.path(name), target.path(name), field.getValue(), base.path(name));
            }
        }
    }

    private static void keepInside(JsonNode merged, JsonNode target, JsonNode live, JsonNode base) {
        if (merged instanceof ObjectNode object && live.isObject()) {
            keep(object, target, live, base);
        } else if (merged.isArray() && live.isArray()) {
            for (int i = 0; i < merged.size(); i++) {
                var same = counterpart(merged.get(i), i, live);
                if (same >= 0) {
                    keepInside(merged.get(i), target.path(i), live.get(same), base.path(same));
                }
            }
        }
    }

    /** Lists of things with a name are merged by it, as patches do; others by their order. */
    private static int counterpart(JsonNode item, int index, JsonNode live) {
        if (!item.isObject() || !item.path("name").isTextual()) {
            return index < live.size() ? index : -1;
        }
        for (int i = 0; i < live.size(); i++) {
            if (live.get(i).path("name").equals(item.path("name"))) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isAbsent(JsonNode node) {
        return node instanceof MissingNode || node.isNull();
    }
}
