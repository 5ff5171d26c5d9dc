package dev.gitopsinterlock.gate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.SyncHold;
import java.util.Optional;

/**
 * The facts of one request about an object that a {@link RestartMaker} writes into. The trees are the request's own and
 * are not to be changed.
 *
 * @param kind of the object, as {@code group/version/Kind}
 * @param name of the object
 * @param before the object as it is; missing where it is about to be made
 * @param after the object as it would be
 * @param user who asks
 * @param dryRun whether nothing will be stored
 */
public record ObjectChange(String kind, String name, JsonNode before, JsonNode after, String user, boolean dryRun) {

    String kindName() {
        return kind.substring(kind.lastIndexOf('/') + 1);
    }

    /** The value as it is; empty without the annotation. */
    public String annotationBefore(String key) {
        return annotation(before, key);
    }

    /** The value as it would be; empty without the annotation. */
    public String annotationAfter(String key) {
        return annotation(after, key);
    }

    private static String annotation(JsonNode object, String key) {
        return ObjectMeta.annotation(object, key);
    }

    /** What the object's own annotation says, as written. */
    Optional<String> syncHold() {
        return Optional.of(ObjectMeta.annotations(before).path(SyncHold.SETTING.annotation()))
                .filter(JsonNode::isTextual)
                .map(JsonNode::asText);
    }
}
