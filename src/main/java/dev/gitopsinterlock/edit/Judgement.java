package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.Mutability;
import java.util.function.Function;

/** Says what API servers do to a difference: all supported ones, or those that are in question. Pure. */
@FunctionalInterface
public interface Judgement {
    /** Of one edit, whose live object is looked at once. */
    Function<Difference, Mutability> about(JsonNode before, JsonNode after);
}
