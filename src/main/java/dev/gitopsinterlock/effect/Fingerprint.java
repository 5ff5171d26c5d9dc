package dev.gitopsinterlock.effect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldPath.Step;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Tells of each part of an object's spec whether it is as it was ordered, without its value: a short digest for every part
 * that cannot be changed in place. So what an edit asks for can be told from what others' webhooks made of it. Which
 * parts there are, the kind says: by their paths, and the names of an object's members behind its path and
 * {@value #NAMES}.
 *
 * @param text all digests, one after the other; empty where there would be too many
 */
public record Fingerprint(String text) {

    private static final int WIDTH = 8;

    /** An annotation is not the place for more; a Job of 20 containers has fewer. */
    private static final int MOST = 400;

    /** Behind a path: the names that the object there has, so that what it lacks can be told, too. */
    public static final String NAMES = "#";

    public static Fingerprint of(Map<String, JsonNode> parts) {
        var digests = new TreeSet<String>();
        parts.forEach((path, value) -> digests.add(digest(path, value)));
        return new Fingerprint(digests.size() > MOST ? "" : String.join("", digests));
    }

    /**
     * Whether a spec has, wherever it differs from another one, what was ordered.
     *
     * @param parts of the spec
     * @param differences from the object's root
     */
    public boolean isOrdered(Map<String, JsonNode> parts, List<FieldPath> differences) {
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
}
