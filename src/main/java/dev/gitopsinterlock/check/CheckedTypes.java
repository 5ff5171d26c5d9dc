package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.crd.Definitions;
import dev.gitopsinterlock.edit.Kinds;
import java.util.Optional;

/**
 * What the API calls the objects that are checked.
 *
 * @param kinds that are known
 * @param definitions of custom resources
 */
public record CheckedTypes(Kinds kinds, Definitions definitions) {

    /**
     * The type of an object.
     *
     * @param namespaced whether its objects are in Namespaces
     */
    public record Type(ResourceType resource, boolean namespaced) {}

    /** Empty for an object that is not checked. */
    public Optional<Type> of(JsonNode object) {
        return kinds.of(object)
                .map(kind -> new Type(kind.type(), kind.namespaced()))
                .or(() -> definitions.of(object).stream()
                        .map(known -> new Type(known.typeOf(object), known.namespaced()))
                        .findFirst());
    }
}
