package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.argocd.ArgoCdKeys;
import dev.gitopsinterlock.argocd.IgnoredDifferences;
import dev.gitopsinterlock.argocd.SyncOptions;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.Forecast;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.Kinds;
import dev.gitopsinterlock.edit.ManifestRules.State;
import dev.gitopsinterlock.edit.Strategy;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.PolicySettings;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.Treatment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks one object of a change. Promises: an error only for what every supported API server refuses, or the one whose
 * version is known; what depends on the live object's state or on a version that is not known is a warning that says so; the
 * same findings for the same manifests.
 *
 * @param kinds that are checked; others have no findings
 * @param appliers of the manifests
 * @param version of the API server that they go to, whose feature gates are as they come; empty if any supported one
 *     counts
 * @param pages with the remedies
 */
public record ManifestCheck(Kinds kinds, Appliers appliers, Optional<KubernetesVersion> version, GuidancePages pages) {

    /** Everything to know about one object, by its manifests alone. */
    public Findings of(Pair pair) {
        return kinds.of(pair.target().object())
                .map(kind -> of(
                        kind,
                        pair.target(),
                        pair.base()
                                .filter(manifest -> kinds.of(manifest.object()).equals(Optional.of(kind)))
                                .map(manifest -> KnownObject.ofManifest(kind, kept(kind, manifest.object()), version))))
                .orElse(Findings.NONE);
    }

    /**
     * The same with the object that is in the cluster, whose state is known therefore. A field that somebody removes from
     * a manifest shows only where a client-side apply has left the manifest of before on the object.
     *
     * @param live what is there; empty where nothing is
     * @param before that manifest; a missing node where there is none
     */
    public Findings ofLive(Manifest target, Optional<JsonNode> live, JsonNode before) {
        return kinds.of(target.object())
                .map(kind -> of(
                        kind,
                        target,
                        live.map(object -> KnownObject.ofCluster(
                                kind, kind.manifests().converted(object), kept(kind, before), version))))
                .orElse(Findings.NONE);
    }

    private Findings of(GuardedKind kind, Manifest target, Optional<KnownObject> known) {
        var manifest = (ObjectNode) target.object();
        var by = appliers.of(target);
        var found = new ArrayList<Finding>();
        var edit = known.flatMap(object -> edit(kind, object, target, by));
        edit.ifPresent(found::add);
        if (known.isEmpty() || !known.get().manifest().equals(kept(kind, manifest))) {
            NewObjectFindings.of(
                            kind,
                            ImaginedChange.creation(kind, manifest, by),
                            target,
                            by,
                            !appliers.recreates(target, by),
                            pages)
                    .stream()
                    .filter(finding -> !isSaid(finding, edit))
                    .forEach(found::add);
        }
        return CheckOptOut.of(target, by).applyTo(found);
    }

    /** What helps against a refusal puts the same annotation right, or it is a refusal of the same labels. */
    private static boolean isSaid(Finding finding, Optional<Finding> edit) {
        return edit.filter(refusal -> refusal.fix()
                                .filter(fix -> finding.remedy().contains(fix.annotation()))
                                .isPresent()
                        || finding.fields().containsAll(refusal.fields()))
                .isPresent();
    }

    private Optional<Finding> edit(GuardedKind kind, KnownObject known, Manifest target, Tool by) {
        if (appliers.recreates(target, by)) {
            return Optional.empty();
        }
        var options = appliers.syncOptions(target, by);
        var change = ImaginedChange.edit(
                kind, known, asRead(kept(kind, target.object()), options), by, ignored(target, options));
        var treatment = by.delivery().treats(change.after(), known.live());
        if (treatment == Treatment.NOT_EDITED || change.isForOthers() || change.isTerminating()) {
            return Optional.empty();
        }
        var sent = kind.manifests().sent(change, treatment);
        var met = known.states().stream()
                .flatMap(state ->
                        Forecast.of(kind, sent, state.judgement()).map(forecast -> new Met(state, forecast)).stream())
                .toList();
        return met.isEmpty() || met.getFirst().forecast().passes()
                ? Optional.empty()
                : Optional.of(finding(kind, sent, met, treatment, target, by));
    }

    /** What an edit meets in one state of the live object. */
    private record Met(State state, Forecast forecast) {}

    /** Of a manifest what the API server takes, where its version is known. */
    private JsonNode kept(GuardedKind kind, JsonNode manifest) {
        var converted = manifest.isObject() ? kind.manifests().converted(manifest) : manifest;
        return version.map(known -> kind.manifests().accepted(converted, known)).orElse(converted);
    }

    private static IgnoredDifferences ignored(Manifest target, String syncOptions) {
        var annotation = ObjectMeta.annotation(target.object(), ArgoCdKeys.IGNORE_DIFFERENCES);
        return !syncOptions.isEmpty() && !annotation.isEmpty()
                ? IgnoredDifferences.of(target.text().tree(annotation), syncOptions)
                : IgnoredDifferences.NONE;
    }

    private static JsonNode asRead(JsonNode manifest, String syncOptions) {
        if (syncOptions.isEmpty()) {
            return manifest;
        }
        ObjectNode read = manifest.deepCopy();
        var annotations = read.withObject("/metadata/annotations");
        var own = annotations.path(ArgoCdKeys.SYNC_OPTIONS).asText();
        annotations.put(ArgoCdKeys.SYNC_OPTIONS, SyncOptions.of(own).beside(syncOptions));
        return read;
    }

    /** The first state lets least pass, the last one most. */
    private Finding finding(
            GuardedKind kind, Change sent, List<Met> met, Treatment treatment, Manifest target, Tool by) {
        var strictest = met.getFirst().forecast();
        var mildest = met.getLast().forecast();
        var object = target.id();
        if (!mildest.refused().isEmpty()) {
            return treatment == Treatment.EDITED_IF_LEFT_OVER
                    ? finding(
                            Severity.WARNING,
                            mildest.refused(),
                            mildest.guidance(),
                            by.delivery().title() + " will fail on this change of " + object + " if the " + kind.name()
                                    + " of an earlier run is still there",
                            target,
                            by)
                    : refused(kind, sent, mildest, target, by);
        }
        if (!strictest.refused().isEmpty()) {
            var passing = met.stream()
                    .filter(state -> state.forecast().passes())
                    .findFirst()
                    .orElseGet(met::getLast);
            var isUsual = passing.forecast().passes() && passing.state().usual();
            var found = finding(
                    isUsual ? Severity.NOTE : Severity.WARNING,
                    strictest.refused(),
                    strictest.guidance(),
                    willFail(object, by) + " unless " + passing.state().words() + " (no manifest tells)"
                            + (mildest.unsure().isEmpty()
                                    ? ""
                                    : kind.manifests().dependsOnVersion()
                                            ? "; some versions of Kubernetes refuse it even then"
                                            : "; Kubernetes may refuse it even then"),
                    target,
                    by);
            return isUsual ? found.unless("if " + passing.state().words()) : found;
        }
        return finding(Severity.WARNING, strictest.unsure(), strictest.guidance(), mayFail(kind, object), target, by);
    }

    private String mayFail(GuardedKind kind, ObjectId object) {
        if (kind.manifests().dependsOnVersion() && version.isEmpty()) {
            return "some versions of Kubernetes refuse this change of " + object
                    + " (--kubernetes-version says whether yours does)";
        }
        return "Kubernetes " + version.map(known -> known.label() + " ").orElse("") + "may refuse this change of "
                + object;
    }

    /** Where gitops-interlock is to carry the edit out, nothing fails if it may. */
    private Finding refused(GuardedKind kind, Change edit, Forecast forecast, Manifest target, Tool by) {
        var what = willFail(target.id(), by);
        return kind.strategy()
                        .filter(strategy -> isToBeCarriedOut(strategy, edit, forecast, target))
                        .isPresent()
                ? finding(
                                Severity.NOTE,
                                forecast.refused(),
                                forecast.guidance(),
                                what + " unless gitops-interlock carries it out, as the " + kind.name()
                                        + "'s annotation asks",
                                target,
                                by)
                        .unless("where gitops-interlock may replace it")
                : finding(Severity.ERROR, forecast.refused(), forecast.guidance(), what, target, by);
    }

    private static boolean isToBeCarriedOut(Strategy strategy, Change edit, Forecast forecast, Manifest target) {
        var setting = PolicySettings.ON_IMMUTABLE_CHANGE;
        var asked = setting.parse(ObjectMeta.annotation(target.object(), setting.annotation()));
        return asked.filter(word -> word == OnImmutableChange.REPLACE
                                || (word == OnImmutableChange.GENERATE_NAME && strategy.runsBeside()))
                        .isPresent()
                && forecast.guidance()
                        .flatMap(advice -> strategy.obstacle(edit, forecast.refused(), advice.code()))
                        .isEmpty();
    }

    private static String willFail(ObjectId object, Tool by) {
        return by == Tool.UNKNOWN
                ? "Kubernetes will refuse this change of " + object
                : by.delivery().title() + " will fail on this change of " + object;
    }

    private Finding finding(
            Severity severity,
            List<FieldPath> fields,
            Optional<RefusedEdit> guidance,
            String what,
            Manifest target,
            Tool by) {
        var code = guidance.orElseThrow().code().token();
        return new Finding(
                severity,
                code,
                target.id(),
                by.label(),
                fields.stream().map(FieldPath::toString).distinct().toList(),
                what + ", field is immutable: " + Finding.listed(fields),
                guidance.orElseThrow().remedy(pages),
                target.text().of(fields.getFirst()),
                Tool.fix(code),
                target);
    }
}
