package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.crd.Definition;
import dev.gitopsinterlock.crd.Definitions;
import dev.gitopsinterlock.crd.RuleEvaluator;
import dev.gitopsinterlock.crd.RuleOutcome;
import dev.gitopsinterlock.crd.TransitionRules;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.Treatment;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Checks one custom resource of a change by the rules of its definition. Promises: an error only for a rule that was
 * evaluated and refuses; a warning for each that could not be, where it may matter.
 *
 * @param definitions that are known; objects of other kinds have no findings
 * @param rules evaluates them
 * @param appliers of the manifests
 * @param pages with the remedies
 */
public record CustomResourceCheck(
        Definitions definitions, RuleEvaluator rules, Appliers appliers, GuidancePages pages) {

    private static final String ASK =
            "Ask the API server before the merge: kubectl apply --dry-run=server changes nothing and evaluates the rules that the cluster has now.";

    /** Everything to know about one object. */
    public Findings of(Pair pair) {
        var after = pair.target().object();
        return pair.base()
                .map(Manifest::object)
                .filter(before -> !before.equals(after))
                .map(before -> of(
                        pair.target(),
                        before,
                        (definition, treatment) -> TransitionRules.of(definition, before, after, rules)))
                .orElse(Findings.NONE);
    }

    /**
     * The same with the object that is in the cluster.
     *
     * @param live what is there; empty where nothing is
     * @param before the manifest that it was made from; a missing node where it is not known
     */
    public Findings ofLive(Manifest target, Optional<JsonNode> live, JsonNode before) {
        return live.map(object -> of(
                        target,
                        object,
                        (definition, treatment) -> TransitionRules.ofLive(
                                definition,
                                object,
                                treatment == Treatment.PUT ? object : before,
                                target.object(),
                                rules)))
                .orElse(Findings.NONE);
    }

    private Findings of(
            Manifest target, JsonNode before, BiFunction<Definition, Treatment, List<RuleOutcome>> evaluated) {
        var copies = definitions.ofVersion(target.object());
        var by = appliers.of(target);
        var treatment = by.delivery().treats(target.object(), before);
        if (copies.isEmpty() || appliers.recreates(target, by) || treatment == Treatment.NOT_EDITED) {
            return Findings.NONE;
        }
        return CheckOptOut.of(target, by)
                .applyTo(TransitionRules.ofAll(copies, each -> evaluated.apply(each, treatment)).stream()
                        .map(outcome -> finding(outcome, target, by))
                        .toList());
    }

    private Finding finding(RuleOutcome outcome, Manifest target, Tool by) {
        var code = GuidanceCode.CUSTOM_RESOURCE_RULE.token();
        var field = outcome.field().equals(FieldPath.ROOT) ? "" : outcome.field() + ": ";
        return new Finding(
                outcome.unknown().isEmpty() ? Severity.ERROR : Severity.WARNING,
                code,
                target.id(),
                by.label(),
                field.isEmpty() ? List.of() : List.of(outcome.field().toString()),
                outcome.unknown()
                        .map(reason ->
                                "Kubernetes may refuse this change of %s: a transition rule of its CustomResourceDefinition was not evaluated (%s): %s%s"
                                        .formatted(
                                                target.id(),
                                                reason,
                                                field,
                                                outcome.said().replaceFirst("^failed rule: ", "")))
                        .orElseGet(
                                () -> "%s this change of %s, by a transition rule of its CustomResourceDefinition: %s%s"
                                        .formatted(
                                                by == Tool.UNKNOWN
                                                        ? "Kubernetes will refuse"
                                                        : by.delivery().title() + " will fail on",
                                                target.id(),
                                                field,
                                                outcome.said())),
                outcome.unknown().isEmpty() ? pages.remedy(code) : ASK,
                target.text().of(outcome.field()),
                Optional.empty(),
                target);
    }
}
