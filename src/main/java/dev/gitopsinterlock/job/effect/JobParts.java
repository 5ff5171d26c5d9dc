package dev.gitopsinterlock.job.effect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.effect.Fingerprint;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.job.Containers;
import dev.gitopsinterlock.job.DefaultedFields;
import dev.gitopsinterlock.job.ImmutableJobFields;
import java.util.LinkedHashMap;
import java.util.Map;

/** The parts of a Job's spec that a {@link Fingerprint} tells of: every field that cannot change, down to a container's. */
final class JobParts {

    /** Whose requests may be chosen anew, and whose limits are not. */
    private static final String RESOURCES = "resources";

    private JobParts() {}

    static Map<String, JsonNode> of(JsonNode spec) {
        var parts = new LinkedHashMap<String, JsonNode>();
        var root = FieldPath.of("spec");
        var beside = ImmutableJobFields.TABLE.immutablePart(spec);
        beside.remove("template");
        members(parts, root, beside);
        var template = spec.path("template");
        members(parts, root.field("template").field("metadata"), template.path("metadata"));
        var pod = root.field("template").field("spec");
        members(parts, pod, template.path("spec"));
        for (var list : Containers.LISTS) {
            var containers = template.path("spec").path(list);
            for (int i = 0; i < containers.size(); i++) {
                members(parts, pod.field(list).index(i), containers.path(i));
            }
        }
        return parts;
    }

    /** The names are not those that the API server chooses anew for a new Job: an order lacks them. */
    private static void members(Map<String, JsonNode> parts, FieldPath at, JsonNode object) {
        var names = JsonNodeFactory.instance.arrayNode();
        object.properties().stream()
                .map(Map.Entry::getKey)
                .filter(name -> !DefaultedFields.NAMES.contains(name))
                .sorted()
                .forEach(names::add);
        parts.put(at + Fingerprint.NAMES, names);
        for (var member : object.properties()) {
            var place = at.field(member.getKey());
            if (member.getKey().equals(RESOURCES)) {
                members(parts, place, member.getValue());
            } else {
                parts.put(place.toString(), member.getValue());
            }
        }
    }
}
