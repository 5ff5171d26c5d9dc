package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.Mutability;

/** When a field that cannot change may change after all. */
@FunctionalInterface
public interface Exemption {

    /**
     * What becomes of a difference at every supported API server.
     *
     * @param before the live object
     * @param after the object as it would be
     */
    Mutability of(Difference difference, JsonNode before, JsonNode after);
}
