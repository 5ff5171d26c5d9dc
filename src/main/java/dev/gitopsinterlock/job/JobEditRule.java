package dev.gitopsinterlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.Verdict.Because;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.guidance.JobEditSituation;
import dev.gitopsinterlock.guidance.JobEditSituation.Shape;
import dev.gitopsinterlock.guidance.UncertainEdit;
import dev.gitopsinterlock.job.ImmutableJobFields.Fate;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Refuses an edit of a Job that the API server is certain to refuse, with advice in its place.
 *
 * <p>Promises: never refuses what some supported API server would accept; the same answer for a dry run; the same
 * answer however often it is asked.
 */
public final class JobEditRule {

    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final List<String> UID_LABELS = List.of("batch.kubernetes.io/controller-uid", "controller-uid");

    private static final FieldPath COMPLETIONS = FieldPath.of("spec", "completions");

    /** What the API server puts into a Job on CREATE; a PUT of the manifest lacks it. */
    private static final Set<String> GENERATED = Set.of(
            "spec.selector",
            "spec.template.metadata.labels[batch.kubernetes.io/controller-uid]",
            "spec.template.metadata.labels[batch.kubernetes.io/job-name]",
            "spec.template.metadata.labels[controller-uid]",
            "spec.template.metadata.labels[job-name]");

    private JobEditRule() {}

    /**
     * Decides about one request.
     *
     * @param levels the policy's levels
     * @param namespace annotations of the Job's Namespace, as far as they are known
     */
    public static Decision decide(JobChange change, JobPolicy.Levels levels, Map<String, String> namespace) {
        if (isNeverTouched(change)) {
            return Decision.allow(Because.NEVER_TOUCHED);
        }
        var specBefore = change.before().path("spec");
        var specAfter = change.after().path("spec");
        if (specBefore.equals(specAfter)) {
            return Decision.allow(Because.NO_IMMUTABLE_CHANGE);
        }
        return Comparison.between(SPEC, specBefore, specAfter)
                .map(differences -> judge(change, differences, levels, namespace))
                .orElseGet(() -> Decision.allow(Because.UNSURE));
    }

    private static boolean isNeverTouched(JobChange change) {
        return change.operation() != Operation.UPDATE
                || !change.subresource().isEmpty()
                || change.hasController()
                || change.isTerminating()
                || change.requester().isControlPlane();
    }

    private static Decision judge(
            JobChange change, List<Difference> differences, JobPolicy.Levels levels, Map<String, String> namespace) {
        var state = JobState.of(change.before());
        var after = change.after().path("spec");
        var byFate = differences.stream()
                .collect(Collectors.groupingBy(difference -> ImmutableJobFields.fate(difference, state, after)));
        var refused = byFate.getOrDefault(Fate.REFUSED, List.of()).stream()
                .sorted(ImmutableJobFields.IN_API_ORDER)
                .toList();
        if (refused.isEmpty() && !byFate.containsKey(Fate.UNSURE)) {
            return Decision.allow(Because.NO_IMMUTABLE_CHANGE);
        }
        var policy = levels.resolve(change.annotations(), namespace);
        if (refused.isEmpty()) {
            return uncertain(change, byFate.getOrDefault(Fate.UNSURE, List.of()), policy);
        }
        var decision = switch (policy.onImmutableChange()) {
            case IGNORE -> Decision.allow(Because.POLICY);
            case REJECT -> Decision.deny(guidance(change, refused));
        };
        return decision.withWarnings(policy.findings());
    }

    /**
     * Lets an edit through that the API server may refuse. Who looks at what a client prints is told what would help;
     * a controller that nobody knows, such as a queue's, is not.
     */
    private static Decision uncertain(JobChange change, List<Difference> unsure, JobPolicy policy) {
        var allowed = Decision.allow(Because.UNSURE);
        var ifRefused = guidance(change, unsure);
        var isUnknownController = ifRefused.requester() == Tool.UNKNOWN
                && change.requester().serviceAccount().isPresent();
        return isUnknownController || policy.onImmutableChange() == OnImmutableChange.IGNORE
                ? allowed
                : allowed.withWarnings(List.of(new UncertainEdit(ifRefused.code())));
    }

    private static JobEditGuidance guidance(JobChange change, List<Difference> refused) {
        var shape = shape(change, refused);
        var tool = change.tool();
        var code = new JobEditSituation(tool, change.writer(), change.marks(), shape).code();
        return new JobEditGuidance(code, tool, change.job(), fields(refused, shape));
    }

    private static Shape shape(JobChange change, List<Difference> refused) {
        if (isCopyOfAnotherJob(change)) {
            return Shape.COPIED_MANIFEST;
        }
        if (refused.size() == 1
                && refused.getFirst().path().equals(COMPLETIONS)
                && ImmutableJobFields.isIndexed(change.after().path("spec"))) {
            return Shape.COMPLETIONS_ALONE;
        }
        return !change.after().path("spec").hasNonNull("selector") ? Shape.REPLACE : Shape.ORDINARY;
    }

    private static boolean isCopyOfAnotherJob(JobChange change) {
        var before = templateLabels(change.before());
        var after = templateLabels(change.after());
        return UID_LABELS.stream()
                .anyMatch(label -> after.has(label) && !after.path(label).equals(before.path(label)));
    }

    private static JsonNode templateLabels(JsonNode job) {
        return job.path("spec").path("template").path("metadata").path("labels");
    }

    /** What the person changed; what a PUT leaves out by its nature only where there is nothing else to name. */
    private static List<String> fields(List<Difference> refused, Shape shape) {
        var all = refused.stream()
                .map(difference -> difference.path().toString())
                .distinct()
                .toList();
        if (shape != Shape.REPLACE) {
            return all;
        }
        var changed = all.stream().filter(field -> !GENERATED.contains(field)).toList();
        return changed.isEmpty() ? List.of("spec.selector") : changed;
    }
}
