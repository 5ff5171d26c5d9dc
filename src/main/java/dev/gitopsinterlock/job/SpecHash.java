package dev.gitopsinterlock.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.UUID;

/** Tells one edit from another by what cannot be changed in place: counters and TTLs make no other run. */
public final class SpecHash {

    private SpecHash() {}

    public static String hash(JsonNode spec) {
        return uuid(ImmutableJobFields.TABLE.immutablePart(spec).toString()).toString();
    }

    /** The same for the same text. */
    public static UUID uuid(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(UTF_8));
    }
}
