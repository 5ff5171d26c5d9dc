package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.function.Function;

/**
 * The change of objects of a kind that comes most often and is refused.
 *
 * @param what changes, behind "when": {@code its image changes}
 * @param imagined a live object after it; empty for one that such a change does not meet
 */
public record NextChange(String what, Function<JsonNode, Optional<ObjectNode>> imagined) {}
