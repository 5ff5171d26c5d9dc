package dev.gitopsinterlock.job.carryout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldPath.Step;
import dev.gitopsinterlock.job.Containers;
import dev.gitopsinterlock.job.DefaultedFields;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.SpecHash;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Tells of each part of a Job's spec whether it is as it was ordered, without its value: a short digest for every field
 * that cannot be changed in place, down to the fields of a container. So what an edit asks for can be told from what
 * others' webhooks made of it.
 *
 * @param text all digests, one after the other; empty where there would be too many
 */
record Fingerprint(String text) {

    private static final int WIDTH = 8;

    /** An annotation is not the place for more; a Job of 20 containers has fewer. */
    private static final int MOST = 400;

    /** Whose requests may be chosen anew, and whose limits are not. */
    private static final String RESOURCES = "resources";

    /**
     * The names that an object has, so that what it lacks can be told, too. Not those that the API server chooses anew for
     * a new Job: an order lacks them.
     */
    private static final String NAMES = "#";

    static Fingerprint of(JsonNode spec) {
        var digests = new TreeSet<String>();
        parts(spec).forEach((path, value) -> digests.add(digest(path, value)));
        return new Fingerprint(digests.size() > MOST ? "" : String.join("", digests));
    }

    /**
     * Whether the spec has, wherever it differs from another one, what was ordered.
     *
     * @param differences from the object's root
     */
    boolean isOrdered(JsonNode spec, List<FieldPath> differences) {
        var parts = parts(spec);
        // many differences may lie in one part, and a part may be large
        var touched = differences.stream()
                .map(difference -> partOf(difference, parts))
                .collect(Collectors.toSet());
        return touched.stream()
                .allMatch(part -> part.filter(path -> has(digest(path, Objects.requireNonNull(parts.get(path)))))
                        .isPresent());
    }

    /** The one that tells of the field: it, what it is in, or the names beside it where it is not there. */
    private static Optional<String> partOf(FieldPath difference, Map<String, JsonNode> parts) {
        for (var steps = difference.steps(); !steps.isEmpty(); steps = steps.subList(0, steps.size() - 1)) {
            var path = new FieldPath(steps).toString();
            if (parts.containsKey(path)) {
                return Optional.of(path);
            }
            var names = new FieldPath(steps.subList(0, steps.size() - 1)) + NAMES;
            if (steps.getLast() instanceof Step.Field && parts.containsKey(names)) {
                return Optional.of(names);
            }
        }
        return Optional.empty();
    }

    private boolean has(String digest) {
        for (int at = 0; at + WIDTH <= text.length(); at += WIDTH) {
            if (text.startsWith(digest, at)) {
                return true;
            }
        }
        return false;
    }

    private static String digest(String path, JsonNode value) {
        return SpecHash.uuid(path + "=" + value).toString().substring(0, WIDTH);
    }

    private static Map<String, JsonNode> parts(JsonNode spec) {
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

    private static void members(Map<String, JsonNode> parts, FieldPath at, JsonNode object) {
        var names = JsonNodeFactory.instance.arrayNode();
        object.properties().stream()
                .map(Map.Entry::getKey)
                .filter(name -> !DefaultedFields.NAMES.contains(name))
                .sorted()
                .forEach(names::add);
        parts.put(at + NAMES, names);
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
