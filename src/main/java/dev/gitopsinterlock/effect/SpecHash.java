package dev.gitopsinterlock.effect;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.UUID;

/** Tells one edit from another without its values. */
public final class SpecHash {

    private SpecHash() {}

    /**
     * A digest of a spec, the same for equal trees.
     *
     * @param fixed what cannot be changed in place: what else differs makes no other edit
     */
    public static String of(JsonNode fixed) {
        return uuid(fixed.toString()).toString();
    }

    /** A UUID that is the same for the same text. */
    public static UUID uuid(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(UTF_8));
    }
}
