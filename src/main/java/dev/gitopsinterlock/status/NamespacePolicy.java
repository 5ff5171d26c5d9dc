package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.policy.BreakGlass;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.PolicySetting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What holds for the Jobs of one Namespace, where they do not say otherwise themselves.
 *
 * @param namespace its name
 * @param onImmutableChange what happens to an edit; empty where Jobs are left alone
 * @param isGlassBroken whether its annotation switches everything off but plain answers
 * @param mistakes what is wrong with its annotations, in one line each
 */
public record NamespacePolicy(
        String namespace, Optional<OnImmutableChange> onImmutableChange, boolean isGlassBroken, List<String> mistakes) {

    public NamespacePolicy {
        mistakes = List.copyOf(mistakes);
    }

    /** Of a Namespace under the policy of its cluster. */
    public static NamespacePolicy of(JsonNode namespace, Policy.Levels levels, GuidancePages pages) {
        var name = namespace.at("/metadata/name").asText();
        var annotations = ours(namespace.at("/metadata/annotations"));
        var isGlassBroken = levels.allowOverrides() && BreakGlass.isBroken(key -> annotations.getOrDefault(key, ""));
        if (levels.isExempt(name)) {
            return new NamespacePolicy(name, Optional.empty(), isGlassBroken, List.of());
        }
        var policy = levels.resolve(name, Map.of(), annotations);
        return new NamespacePolicy(
                name,
                Optional.of(policy.values().onImmutableChange()),
                isGlassBroken,
                policy.findings().stream().map(finding -> finding.text(pages)).toList());
    }

    private static Map<String, String> ours(JsonNode annotations) {
        var ours = new HashMap<String, String>();
        annotations.properties().forEach(each -> {
            if (each.getKey().startsWith(PolicySetting.PREFIX)) {
                ours.put(each.getKey(), each.getValue().asText());
            }
        });
        return ours;
    }
}
