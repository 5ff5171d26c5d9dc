package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a patch makes of a live object: what is in neither the old manifest nor the new one is somebody else's, and stays. */
public final class MergedManifest {

    private MergedManifest() {}

    /**
     * Puts into the new object what stays.
     *
     * @param merged the new object, as it would be stored; changed in place
     * @param target its manifest
     * @param base the manifest that the live object was made from; a missing node where it is not known
     */
    public static void keep(ObjectNode merged, JsonNode target, JsonNode live, JsonNode base) {
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
        return node.isMissingNode() || node.isNull();
    }
}
