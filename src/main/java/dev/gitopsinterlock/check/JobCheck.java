package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.argocd.ArgoCdKeys;
import dev.gitopsinterlock.argocd.SyncOptions;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.job.KubernetesVersion;
import dev.gitopsinterlock.job.manifest.DroppedParts;
import dev.gitopsinterlock.job.rule.JobForecast;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.PolicySettings;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.Treatment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks one Job of a change. Promises: an error only for what every supported API server refuses, or the one whose
 * version is known; what depends on the live Job's state or on a version that is not known is a warning that says so; the
 * same findings for the same manifests.
 *
 * @param deployer in whose hands all manifests are; empty where their marks are to tell
 * @param version of the API server that they go to, whose feature gates are as they come; empty if any supported one
 *     counts
 * @param syncOptions of the Application, with commas, where Argo CD has the manifests
 * @param pages with the remedies
 */
public record JobCheck(
        Optional<Tool> deployer, Optional<KubernetesVersion> version, String syncOptions, GuidancePages pages) {

    private static final int MAX_FIELDS = 5;

    /** Whether there is anything to check about an object. */
    public static boolean isJob(JsonNode object) {
        return object.path("kind").asText().equals("Job")
                && object.path("apiVersion").asText().startsWith("batch/")
                && object.path("spec").path("template").isObject();
    }

    /** Everything to know about one Job, by its manifests alone. */
    public Findings of(Pair pair) {
        return of(
                pair.target(),
                pair.base()
                        .filter(manifest -> isJob(manifest.object()))
                        .map(manifest -> KnownJob.ofManifest(kept(manifest.object()))));
    }

    /**
     * The same with the Job that is in the cluster, whose state is known therefore. A field that somebody removes from
     * a manifest shows only where a client-side apply has left the manifest of before on the Job.
     *
     * @param live what is there; empty where nothing is
     * @param before that manifest; a missing node where there is none
     */
    public Findings ofLive(Manifest target, Optional<JsonNode> live, JsonNode before) {
        return of(target, live.map(job -> KnownJob.ofCluster(job, kept(before))));
    }

    private Findings of(Manifest target, Optional<KnownJob> known) {
        if (!(target.object() instanceof ObjectNode manifest) || !isJob(manifest)) {
            return Findings.NONE;
        }
        var by = deployer.orElseGet(() -> ToolDetection.deployer(manifest));
        var found = new ArrayList<Finding>();
        var edit = known.flatMap(job -> edit(job, target, by));
        edit.ifPresent(found::add);
        if (known.isEmpty() || !known.get().manifest().equals(kept(manifest))) {
            NewJobFindings.of(ImaginedChange.creation(manifest, by), target, by, pages).stream()
                    .filter(finding -> !isSaid(finding, edit))
                    .forEach(found::add);
        }
        return Exemption.of(target, by).applyTo(found);
    }

    /** What helps against a refusal puts the same annotation right. */
    private static boolean isSaid(Finding finding, Optional<Finding> edit) {
        return edit.flatMap(Finding::fix)
                .filter(fix -> finding.remedy().contains(fix.annotation()))
                .isPresent();
    }

    private Optional<Finding> edit(KnownJob known, Manifest target, Tool by) {
        var change = ImaginedChange.edit(known, asRead(kept(target.object()), by), by);
        var treatment = by.delivery().treats(change.after(), known.live());
        if (treatment == Treatment.NOT_EDITED || change.isForOthers() || change.isTerminating()) {
            return Optional.empty();
        }
        var sent = treatment == Treatment.PUT ? ImaginedChange.asPut(change) : ImaginedChange.asPatch(change);
        var forecasts = known.states().stream()
                .map(state -> JobForecast.of(sent, new JobForecast.Circumstances(state, known.imagined(), version)))
                .flatMap(Optional::stream)
                .toList();
        return forecasts.isEmpty() || forecasts.getFirst().guidance().isEmpty()
                ? Optional.empty()
                : Optional.of(finding(forecasts, treatment, target, by));
    }

    /** Of a manifest what the API server takes, where its version is known. */
    private JsonNode kept(JsonNode manifest) {
        return version.map(known -> DroppedParts.without(manifest, known)).orElse(manifest);
    }

    private JsonNode asRead(JsonNode manifest, Tool by) {
        if (by != Tool.ARGO_CD || syncOptions.isEmpty()) {
            return manifest;
        }
        ObjectNode read = manifest.deepCopy();
        var annotations = read.withObject("/metadata/annotations");
        var own = annotations.path(ArgoCdKeys.SYNC_OPTIONS).asText();
        annotations.put(ArgoCdKeys.SYNC_OPTIONS, SyncOptions.of(own).beside(syncOptions));
        return read;
    }

    /** The first forecast lets least pass, the last one most. */
    private Finding finding(List<JobForecast> forecasts, Treatment treatment, Manifest target, Tool by) {
        var strictest = forecasts.getFirst();
        var mildest = forecasts.getLast();
        var job = target.id();
        if (!mildest.refused().isEmpty()) {
            return treatment == Treatment.EDITED_IF_LEFT_OVER
                    ? finding(
                            Severity.WARNING,
                            mildest.refused(),
                            mildest.guidance(),
                            by.delivery().title() + " will fail on this change of " + job
                                    + " if the Job of an earlier run is still there",
                            target,
                            by)
                    : refused(mildest, target, by);
        }
        if (!strictest.refused().isEmpty()) {
            return finding(
                    Severity.WARNING,
                    strictest.refused(),
                    strictest.guidance(),
                    willFail(job, by) + " unless the Job is suspended and has "
                            + (passes(forecasts.get(forecasts.size() - 2)) ? "stopped or " : "")
                            + "never started, which no manifest tells"
                            + (mildest.unsure().isEmpty() ? "" : "; some versions of Kubernetes refuse it even then"),
                    target,
                    by);
        }
        return finding(
                Severity.WARNING,
                strictest.unsure(),
                strictest.guidance(),
                version.map(known -> "Kubernetes " + known.label() + " may refuse this change of " + job)
                        .orElse("some versions of Kubernetes refuse this change of " + job
                                + " (--kubernetes-version says whether yours does)"),
                target,
                by);
    }

    private static boolean passes(JobForecast forecast) {
        return forecast.refused().isEmpty() && forecast.unsure().isEmpty();
    }

    /** Where gitops-interlock is to carry the edit out, nothing fails if it may. */
    private Finding refused(JobForecast forecast, Manifest target, Tool by) {
        var what = willFail(target.id(), by);
        return isToBeCarriedOut(target)
                ? finding(
                        Severity.NOTE,
                        forecast.refused(),
                        forecast.guidance(),
                        what + " unless gitops-interlock carries it out, as the Job's annotation asks",
                        target,
                        by)
                : finding(Severity.ERROR, forecast.refused(), forecast.guidance(), what, target, by);
    }

    private static String willFail(ObjectId job, Tool by) {
        return by == Tool.UNKNOWN
                ? "Kubernetes will refuse this change of " + job
                : by.delivery().title() + " will fail on this change of " + job;
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
                what + ", field is immutable: " + listed(fields),
                guidance.orElseThrow().remedy(pages),
                target.text().of(fields.getFirst()),
                Tool.fix(code),
                target);
    }

    private static boolean isToBeCarriedOut(Manifest target) {
        var setting = PolicySettings.ON_IMMUTABLE_CHANGE;
        var annotations = target.object().path("metadata").path("annotations");
        return setting.parse(annotations.path(setting.annotation()).asText())
                .filter(OnImmutableChange::carriesOut)
                .isPresent();
    }

    private static String listed(List<FieldPath> fields) {
        var names = fields.stream().map(FieldPath::toString).distinct().toList();
        return names.size() <= MAX_FIELDS
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, MAX_FIELDS)) + " and " + (names.size() - MAX_FIELDS) + " more";
    }
}
