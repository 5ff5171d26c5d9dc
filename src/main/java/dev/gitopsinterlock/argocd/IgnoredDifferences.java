package dev.gitopsinterlock.argocd;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;

/**
 * The fields of an object that Argo CD 3.6 and newer sends as they are in the cluster, whatever Git says: those that the
 * annotation {@link ArgoCdKeys#IGNORE_DIFFERENCES} names, where the Application says {@code RespectIgnoreDifferences=true}.
 * What Argo CD cannot read of the annotation does not count (util/argo/diff/ignore.go of v3.6.1).
 */
public record IgnoredDifferences(List<JsonPointer> pointers) {

    public static final IgnoredDifferences NONE = new IgnoredDifferences(List.of());

    private static final String RESPECTED = "RespectIgnoreDifferences=true";

    public IgnoredDifferences {
        pointers = List.copyOf(pointers);
    }

    /**
     * Of an object.
     *
     * @param annotation of the object, as a tree; a missing node where there is none
     * @param ofApplication its sync options, with commas; an object's own do not count here
     */
    public static IgnoredDifferences of(JsonNode annotation, String ofApplication) {
        var listed = annotation.path("jsonPointers");
        return SyncOptions.of(ofApplication).words().contains(RESPECTED)
                        && listed.isArray()
                        && listed.valueStream().allMatch(JsonNode::isValueNode)
                ? new IgnoredDifferences(listed.valueStream()
                        .flatMap(text -> pointer(text.asText()).stream())
                        .toList())
                : NONE;
    }

    /** A copy of what would be sent, with these fields as they are in the cluster. */
    public ObjectNode keptIn(JsonNode target, JsonNode live) {
        ObjectNode kept = target.deepCopy();
        for (var pointer : pointers) {
            var inCluster = live.at(pointer);
            switch (kept.at(pointer.head())) {
                case ObjectNode parent
                when inCluster.isMissingNode() -> parent.remove(pointer.last().getMatchingProperty());
                case ObjectNode parent -> parent.set(pointer.last().getMatchingProperty(), inCluster);
                case ArrayNode list
                when list.has(pointer.last().getMatchingIndex()) && !inCluster.isMissingNode() ->
                    list.set(pointer.last().getMatchingIndex(), inCluster);
                default -> {}
            }
        }
        return kept;
    }

    /** What is about the object itself can always change, and says how Argo CD sends it. */
    private static Optional<JsonPointer> pointer(String text) {
        return text.startsWith("/") && text.length() > 1 && !text.startsWith("/metadata")
                ? Optional.of(JsonPointer.compile(text))
                : Optional.empty();
    }
}
