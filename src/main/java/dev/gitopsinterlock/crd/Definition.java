package dev.gitopsinterlock.crd;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A CustomResourceDefinition, as far as it decides about changes.
 *
 * @param group of its kind
 * @param kind that it defines
 * @param versions by name
 * @param isConverted whether a webhook turns one version into another
 */
public record Definition(String group, String kind, Map<String, Version> versions, boolean isConverted) {

    /**
     * A version of the kind.
     *
     * @param schema of its objects
     * @param hasStatus whether a status is written apart, so that a change of an object never changes it
     */
    record Version(JsonNode schema, boolean hasStatus) {}

    public Definition {
        versions = Map.copyOf(versions);
    }

    /** Empty for any other object. */
    public static Optional<Definition> of(JsonNode object) {
        if (!object.path("kind").asText().equals("CustomResourceDefinition")
                || !object.path("apiVersion").asText().equals("apiextensions.k8s.io/v1")) {
            return Optional.empty();
        }
        var spec = object.path("spec");
        var versions = new HashMap<String, Version>();
        for (var version : spec.path("versions")) {
            versions.put(
                    version.path("name").asText(),
                    new Version(
                            version.path("schema").path("openAPIV3Schema"),
                            version.path("subresources").has("status")));
        }
        return Optional.of(new Definition(
                spec.path("group").asText(),
                spec.path("names").path("kind").asText(),
                versions,
                spec.path("conversion").path("strategy").asText().equals("Webhook")));
    }

    /** Whether it has any transition rule. */
    boolean decides() {
        return versions.values().stream().anyMatch(version -> TransitionConstraint.areIn(version.schema()));
    }
}
