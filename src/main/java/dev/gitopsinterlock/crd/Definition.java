package dev.gitopsinterlock.crd;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ResourceType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A CustomResourceDefinition, as far as it decides about changes.
 *
 * @param group of its kind
 * @param kind that it defines
 * @param plural by which the API calls it
 * @param namespaced whether its objects are in Namespaces
 * @param versions by name
 * @param isConverted whether a webhook turns one version into another
 */
public record Definition(
        String group,
        String kind,
        String plural,
        boolean namespaced,
        Map<String, Version> versions,
        boolean isConverted) {

    private static final Pattern ONE_OBJECT = Pattern.compile(
            "/apis/(?<group>[^/]+)/(?<version>[^/]+)/(?<namespace>namespaces/\\{namespace\\}/)?(?<plural>[^/]+)/\\{name\\}");

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
                spec.path("names").path("plural").asText(),
                spec.path("scope").asText().equals("Namespaced"),
                versions,
                spec.path("conversion").path("strategy").asText().equals("Webhook")));
    }

    /** Those in the OpenAPI document of a group's version, of that version alone: all that an API server serves there. */
    public static List<Definition> published(JsonNode openApi) {
        var paths = openApi.path("paths");
        return paths.propertyStream()
                .flatMap(each -> {
                    var one = ONE_OBJECT.matcher(each.getKey());
                    if (!one.matches()) {
                        return Stream.empty();
                    }
                    var get = each.getValue().path("get");
                    var schema = get.at("/responses/200/content/application~1json/schema/$ref")
                            .asText("#/")
                            .substring(1);
                    return Stream.of(new Definition(
                            one.group("group"),
                            get.at("/x-kubernetes-group-version-kind/kind").asText(),
                            one.group("plural"),
                            one.group("namespace") != null,
                            Map.of(
                                    one.group("version"),
                                    new Version(openApi.at(schema), paths.has(each.getKey() + "/status"))),
                            false));
                })
                .toList();
    }

    /** This one with the versions of another one of the same kind. */
    public Definition and(Definition other) {
        var all = new HashMap<>(versions);
        all.putAll(other.versions);
        return new Definition(group, kind, plural, namespaced, all, isConverted);
    }

    /** What the API calls an object of its kind. */
    public ResourceType typeOf(JsonNode object) {
        return new ResourceType(group, object.path("apiVersion").asText().substring(group.length() + 1), kind, plural);
    }

    /** Whether it has any transition rule. */
    boolean decides() {
        return versions.values().stream().anyMatch(version -> TransitionConstraint.areIn(version.schema()));
    }
}
