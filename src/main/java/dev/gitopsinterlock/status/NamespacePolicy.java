package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.BreakGlass;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.PolicySetting;
import dev.gitopsinterlock.policy.UnknownPolicyValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What holds for the Jobs of one Namespace, where they do not say otherwise themselves.
 *
 * @param namespace its name
 * @param values of all settings; empty where Jobs are exempt
 * @param isBreakGlassOn whether its annotation switches everything off but plain answers
 * @param mistakes what is wrong with its annotations, in one line each
 */
public record NamespacePolicy(
        String namespace, Optional<Policy.Values> values, boolean isBreakGlassOn, List<String> mistakes) {

    /** Who shows them has links of its own. */
    private static final GuidancePages NO_PAGES = new GuidancePages(Optional.empty(), Map.of());

    public NamespacePolicy {
        mistakes = List.copyOf(mistakes);
    }

    /** The policies of all Namespaces that differ from the cluster, in the order of the alphabet. */
    public static List<NamespacePolicy> all(Facts facts) {
        var levels = facts.installed().jobs();
        var annotations = facts.cluster().namespaces();
        return Stream.concat(annotations.keySet().stream(), levels.exemptNamespaces().stream())
                .distinct()
                .sorted()
                .map(name -> of(name, annotations.getOrDefault(name, Map.of()), levels, NO_PAGES))
                .toList();
    }

    /** What holds in a Namespace of a cluster with this policy. */
    public static NamespacePolicy of(JsonNode namespace, Policy.Levels levels, GuidancePages pages) {
        return of(ObjectMeta.name(namespace), ours(namespace), levels, pages);
    }

    private static NamespacePolicy of(
            String namespace, Map<String, String> annotations, Policy.Levels levels, GuidancePages pages) {
        var breakGlass = Optional.ofNullable(annotations.get(BreakGlass.SETTING.annotation()))
                .filter(word -> levels.allowOverrides());
        var isBreakGlassOn = breakGlass.flatMap(BreakGlass.SETTING::parse).orElse(false);
        var unknown = UnknownPolicyValue.in(BreakGlass.SETTING, UnknownPolicyValue.Level.NAMESPACE, breakGlass);
        if (levels.isExempt(namespace)) {
            return new NamespacePolicy(
                    namespace,
                    Optional.empty(),
                    isBreakGlassOn,
                    unknown.stream().map(finding -> finding.text(pages)).toList());
        }
        var policy = levels.resolve(namespace, Map.of(), annotations);
        return new NamespacePolicy(
                namespace,
                Optional.of(policy.values()),
                isBreakGlassOn,
                Stream.concat(policy.findings().stream(), unknown.stream())
                        .map(finding -> finding.text(pages))
                        .toList());
    }

    /** What happens to an edit; empty where Jobs are exempt. */
    public Optional<OnImmutableChange> onImmutableChange() {
        return values.map(Policy.Values::onImmutableChange);
    }

    private static Map<String, String> ours(JsonNode namespace) {
        var annotations = ObjectMeta.texts(ObjectMeta.annotations(namespace));
        annotations.keySet().removeIf(key -> !key.startsWith(PolicySetting.PREFIX));
        return annotations;
    }
}
