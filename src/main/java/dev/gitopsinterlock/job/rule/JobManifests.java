package dev.gitopsinterlock.job.rule;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.Judgement;
import dev.gitopsinterlock.edit.ManifestRules;
import dev.gitopsinterlock.edit.MergedManifest;
import dev.gitopsinterlock.edit.NextChange;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.manifest.DroppedParts;
import dev.gitopsinterlock.job.manifest.StoredJob;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.kubernetes.VersionKeys;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Treatment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What becomes of manifests of Jobs. */
final class JobManifests implements ManifestRules {

    /** Of every live Job that is imagined here: which one it is does not matter. */
    private static final String UID = "00000000-0000-0000-0000-000000000000";

    private static final String QUEUE = "kueue.x-k8s.io/queue-name";

    /** Generated, or with a version, a revision or a hash at its end. */
    private static final Pattern NEW_NAME = Pattern.compile("|.*-(v?\\d+([.-]\\d+)*|(?=[a-f]*\\d)[0-9a-f]{6,})");

    private static final String ANOTHER_IMAGE = "another-image";
    private static final JsonPointer TEMPLATE_METADATA = JsonPointer.compile("/spec/template/metadata");
    private static final JsonPointer SELECTOR = JsonPointer.compile("/spec/selector");
    private static final JsonPointer SERVICE_ACCOUNT = JsonPointer.compile("/spec/template/spec/serviceAccount");
    private static final JsonPointer SERVICE_ACCOUNT_NAME =
            JsonPointer.compile("/spec/template/spec/serviceAccountName");

    /** Whether it is switched on in a cluster cannot be known here, so it counts as switched on. */
    private static final Policy.Levels LEVELS =
            new Policy.Levels(Policy.Values.DEFAULT, true, new ReplacementScope.On(true, Set.of()), Set.of());

    @Override
    public boolean isComplete(JsonNode manifest) {
        return manifest.path("spec").path("template").isObject();
    }

    @Override
    public ObjectNode stored(JsonNode manifest) {
        return StoredJob.of(manifest, UID);
    }

    @Override
    public JsonNode accepted(JsonNode manifest, KubernetesVersion version) {
        return DroppedParts.without(manifest, version);
    }

    /**
     * A Job whose manifest does not suspend it runs or has run, and nothing in its template may change; a suspended one
     * may have been started before, which no manifest says. A queue such as Kueue suspends and starts Jobs whatever the
     * manifest says.
     */
    @Override
    public List<State> states(JsonNode manifest, Optional<KubernetesVersion> version) {
        var running = state(new JobState(false, false, false), "", version);
        var startedOnce = state(new JobState(true, false, false), "the Job is suspended", version);
        var stopped = state(
                new JobState(true, false, true), "the Job is suspended and has stopped or never started", version);
        var neverStarted = state(new JobState(true, true, true), "the Job is suspended and has never started", version);
        if (manifest.path("metadata").path("labels").has(QUEUE)) {
            return List.of(running, startedOnce, stopped, neverStarted);
        }
        return manifest.path("spec").path("suspend").asBoolean()
                ? List.of(startedOnce, stopped, neverStarted)
                : List.of(running);
    }

    /** A field that some servers drop may be missing in the live Job although its manifest has it. */
    private static State state(JobState state, String words, Optional<KubernetesVersion> version) {
        return new State(
                (before, after) -> difference -> ImmutableJobFields.mutability(
                        new Difference(difference.path(), Difference.Kind.ADDED), state, after.path("spec"), version),
                words);
    }

    @Override
    public Judgement judgement(Optional<KubernetesVersion> version) {
        return (before, after) -> {
            var state = JobState.of(before);
            return difference -> ImmutableJobFields.mutability(difference, state, after.path("spec"), version);
        };
    }

    @Override
    public boolean dependsOnVersion() {
        return true;
    }

    /** By server-side apply a selector that is written takes the place of the live one; where nobody knows, that is assumed. */
    @Override
    public ObjectNode patched(JsonNode live, JsonNode base, JsonNode target, Method method) {
        var selector = target.at(SELECTOR);
        var patched = new PatchBuilder(stored(target));
        if (selector.isMissingNode()) {
            // the live Job has its own
            GeneratedFields.takeOut(patched);
        }
        ObjectNode merged = patched.object().deepCopy();
        MergedManifest.keep(merged, target, live, base);
        if (method != Method.UPDATE && selector.isObject()) {
            merged.withObject("/spec").set("selector", selector);
        }
        return merged;
    }

    @Override
    public Change sent(Change edit, Treatment treatment) {
        return treatment == Treatment.PUT ? asPut(edit) : asPatch(edit);
    }

    /** What the API server generated is not in a manifest. */
    private static Change asPut(Change edit) {
        var sent = new PatchBuilder(edit.after());
        GeneratedFields.takeOut(sent);
        return edit.with(sent.object());
    }

    /**
     * A patch cannot take the service account's name away: the API server has it under a second, deprecated name, too, and
     * fills the first one in from there.
     */
    private static Change asPatch(Change edit) {
        var name = edit.before().at(SERVICE_ACCOUNT_NAME);
        var other = edit.after().at(SERVICE_ACCOUNT);
        var isKept = name.isTextual()
                && edit.after().at(SERVICE_ACCOUNT_NAME).isMissingNode()
                && (other.isMissingNode() || other.equals(name));
        return isKept
                ? edit.with(new PatchBuilder(edit.after())
                        .set(SERVICE_ACCOUNT_NAME, name)
                        .object())
                : edit;
    }

    @Override
    public JsonNode repaired(JsonNode live, JsonNode submitted) {
        var repaired = new PatchBuilder(submitted);
        putBack(live, repaired);
        return repaired.object();
    }

    /** What a PUT of a manifest left out, because others gave it to the Job when it was created. */
    static void putBack(JsonNode live, PatchBuilder submitted) {
        HoldLabel.putBack(live, submitted);
        GeneratedFields.putBack(live, submitted);
    }

    @Override
    public List<Warning> mistakes(Change creation) {
        return JobLintRule.decide(creation, LEVELS).warnings();
    }

    @Override
    public List<FieldPath> fixedVersions(JsonNode manifest) {
        if (NEW_NAME.matcher(ObjectMeta.name(manifest)).matches()) {
            return List.of();
        }
        return Stream.of("labels", "annotations")
                .flatMap(part -> VersionKeys.in(manifest.at(TEMPLATE_METADATA).path(part))
                        .map(FieldPath.of("spec", "template", "metadata", part)::key))
                .toList();
    }

    @Override
    public Optional<NextChange> nextChange() {
        return Optional.of(new NextChange("its image changes", JobManifests::withAnotherImage));
    }

    private static Optional<ObjectNode> withAnotherImage(JsonNode live) {
        ObjectNode changed = live.deepCopy();
        if (changed.at("/spec/template/spec/containers/0") instanceof ObjectNode container) {
            container.put("image", ANOTHER_IMAGE);
        }
        return Optional.of(changed);
    }
}
