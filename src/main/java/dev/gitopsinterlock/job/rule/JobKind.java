package dev.gitopsinterlock.job.rule;

import static dev.gitopsinterlock.admission.SchemaCheck.part;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.SchemaCheck;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.EditRoute;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.Kinds;
import dev.gitopsinterlock.edit.Reinvocation;
import dev.gitopsinterlock.effect.EffectRunner;
import dev.gitopsinterlock.guidance.SuspendKept;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.JobFieldSemantics;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.TtlDefault;
import dev.gitopsinterlock.job.manifest.DroppedParts;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.Namespaces;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** All that the engine knows of a Job. */
public final class JobKind {

    private static final SchemaCheck FORM = new SchemaCheck(
            List.of(
                    part("/metadata", JsonNode::isObject),
                    part("/spec", JsonNode::isObject),
                    part("/spec/template", JsonNode::isObject)),
            List.of(
                    part("/metadata/name", SchemaCheck::isName),
                    part("/metadata/uid", JsonNode::isTextual),
                    part("/metadata/resourceVersion", JsonNode::isTextual),
                    part("/metadata/generateName", JsonNode::isTextual),
                    part("/metadata/finalizers", JsonNode::isArray),
                    part("/metadata/annotations", SchemaCheck::isMapOfText),
                    part("/metadata/labels", SchemaCheck::isMapOfText),
                    part("/metadata/ownerReferences", JsonNode::isArray),
                    part("/metadata/managedFields", JsonNode::isArray),
                    part("/spec/completionMode", JsonNode::isTextual),
                    part("/spec/completions", JsonNode::isIntegralNumber),
                    part("/spec/parallelism", JsonNode::isIntegralNumber),
                    part("/spec/managedBy", JsonNode::isTextual),
                    part("/spec/manualSelector", JsonNode::isBoolean),
                    part("/spec/selector", JsonNode::isObject),
                    part("/spec/suspend", JsonNode::isBoolean),
                    part("/spec/template/metadata", JsonNode::isObject),
                    part("/spec/template/metadata/labels", SchemaCheck::isMapOfText),
                    part("/spec/template/spec", JsonNode::isObject),
                    part("/status", JsonNode::isObject),
                    part("/status/active", JsonNode::isIntegralNumber),
                    part("/status/conditions", JsonNode::isArray),
                    part("/status/startTime", JsonNode::isTextual)));

    /** The kind. */
    public static final GuardedKind JOB = new GuardedKind(
            ResourceType.JOB,
            true,
            FORM,
            ImmutableJobFields.TABLE,
            JobKind::judgement,
            JobFieldSemantics.SEMANTICS,
            new JobAdvice(),
            List.of(),
            JobKind::repair,
            DroppedParts::without,
            true,
            Optional.of(new JobStrategy()),
            new JobManifests());

    /** What the API server calls it. */
    public static final Set<String> IDS = Set.of(JOB.id());

    private JobKind() {}

    /**
     * The webhook for them: edits, and what new Jobs get; the parameters as in {@link EditRoute}. The server's words for a Job's fields are the same
     * in every version.
     */
    public static EditRoute route(Policy.Levels levels, Namespaces namespaces, EffectRunner effects) {
        IntSupplier anyVersion = () -> 0;
        return new EditRoute(
                "mutate/jobs", new Kinds(List.of(JOB)), levels, namespaces, effects, anyVersion, JobCreateRule::decide);
    }

    private static Function<Difference, Mutability> judgement(JsonNode before, JsonNode after) {
        var state = JobState.of(before);
        return difference -> ImmutableJobFields.mutability(difference, state, after.path("spec"));
    }

    private static List<Warning> repair(Change change, PatchBuilder submitted, Policy.Values policy) {
        if (Reinvocation.isPutForTheOldOne(change)) {
            TtlDefault.keep(change.before(), submitted);
        }
        if (change.before().path("spec").equals(change.after().path("spec"))) {
            return List.of();
        }
        if (policy.onImmutableChange() != OnImmutableChange.IGNORE) {
            JobManifests.putBack(change.before(), submitted);
        }
        return GeneratedFields.ignoresSuspend(change.after(), submitted.object())
                ? List.of(new SuspendKept(change.object().name()))
                : List.of();
    }
}
