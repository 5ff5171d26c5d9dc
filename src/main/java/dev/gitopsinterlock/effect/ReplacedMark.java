package dev.gitopsinterlock.effect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What {@link OurMetadata#REPLACED} says of an object: {@code <uid>/<resourceVersion>/<hash>/<fingerprint>}, the first two of the
 * object whose place it took, the others of the spec that was ordered; and, once the API server has asked about it, its own
 * uid behind that. A mark that came with a copy of an object's manifest has another one's and says nothing. Until then, what
 * others' webhooks made of the ordered metadata may be behind the fingerprint, as {@code ~<digest>}; or, where others' writes
 * went into the object, {@code ~written}, which no digest is equal to.
 */
public record ReplacedMark(
        String text, String oldResourceVersion, Fingerprint fingerprint, boolean isBound, Optional<String> metadata) {

    private static final int OF_ORDER = 4;
    private static final String METADATA = "~";

    /** Keys that we write, or the API server, which gives a Job without labels those of its Pods. */
    private static final Set<String> NOT_WRITTEN = Set.of(
            OurMetadata.REPLACED,
            OurMetadata.RETRIGGERED,
            "batch.kubernetes.io/controller-uid",
            "batch.kubernetes.io/job-name",
            "controller-uid",
            "job-name");

    private static final List<String> WRITTEN = List.of("labels", "annotations", "finalizers", "ownerReferences");

    /**
     * Of an object that is to take the place of another one.
     *
     * @param fixed what cannot be changed in place, as it is ordered
     */
    public static String of(JsonNode old, JsonNode fixed, Fingerprint fingerprint) {
        return String.join(
                "/", ObjectMeta.uid(old), ObjectMeta.resourceVersion(old), SpecHash.of(fixed), fingerprint.text());
    }

    /** Nothing where the object has none, or another one's. */
    public static Optional<ReplacedMark> on(JsonNode object) {
        var text = object.at(OurMetadata.annotation(OurMetadata.REPLACED)).asText();
        var parts = text.split("/", -1);
        if (parts.length < OF_ORDER || parts.length > OF_ORDER + 1) {
            return Optional.empty();
        }
        var isBound = parts.length > OF_ORDER;
        if (isBound && !parts[OF_ORDER].equals(uid(object))) {
            return Optional.empty();
        }
        var fingerprint = parts[OF_ORDER - 1].split(METADATA, 2);
        return Optional.of(new ReplacedMark(
                String.join("/", parts[0], parts[1], parts[2], fingerprint[0]),
                parts[1],
                new Fingerprint(fingerprint[0]),
                isBound,
                fingerprint.length > 1 ? Optional.of(fingerprint[1]) : Optional.empty()));
    }

    /**
     * Whether this is the PUT for which the live object took another one's place, as the API server asks about it again:
     * not a later one, and only where nobody has written to the live object, which the PUT would undo.
     */
    public boolean isPutForTheOldOne(JsonNode live, JsonNode submitted) {
        var made = ObjectMeta.resourceVersion(submitted);
        return !made.isEmpty()
                && made.equals(oldResourceVersion)
                && !isBound
                && live.path("metadata").path("generation").asInt(1) == 1
                && written(live).equals(metadata.orElseGet(() -> written(submitted)));
    }

    /**
     * The mark of a new object whose metadata others' webhooks changed while it was created.
     *
     * @return empty where they are as they were ordered
     */
    public static Optional<String> withMetadata(JsonNode ordered, JsonNode created) {
        var digest = written(created);
        return digest.equals(written(ordered))
                ? Optional.empty()
                : Optional.of(
                        ordered.at(OurMetadata.annotation(OurMetadata.REPLACED)).asText() + METADATA + digest);
    }

    /** Says of a new object that it has what others wrote to the old one meanwhile, of which a PUT made before knows nothing. */
    static PatchBuilder writtenTo(PatchBuilder ordered) {
        var at = OurMetadata.annotation(OurMetadata.REPLACED);
        return ordered.set(at, ordered.object().at(at).asText() + METADATA + "written");
    }

    /** A digest of what people and tools write into metadata. */
    private static String written(JsonNode object) {
        var metadata = new TreeMap<String, String>();
        for (var part : WRITTEN) {
            var value = object.path("metadata").path(part);
            value.forEachEntry((key, text) -> {
                if (!NOT_WRITTEN.contains(key)) {
                    metadata.put(part + " " + key, text.toString());
                }
            });
            if (value.isArray() && !value.isEmpty()) {
                metadata.put(part, value.toString());
            }
        }
        return SpecHash.uuid(metadata.toString()).toString();
    }

    /** The text of the mark that says whose it is. */
    public String boundTo(JsonNode object) {
        return text + "/" + uid(object);
    }

    private static String uid(JsonNode object) {
        return ObjectMeta.uid(object);
    }
}
