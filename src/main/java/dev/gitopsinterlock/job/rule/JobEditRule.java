package dev.gitopsinterlock.job.rule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.admission.Step.Answered;
import dev.gitopsinterlock.admission.Step.Ask;
import dev.gitopsinterlock.carryout.CarryOut;
import dev.gitopsinterlock.carryout.Effect;
import dev.gitopsinterlock.carryout.Effect.CreateSibling;
import dev.gitopsinterlock.carryout.Effect.ObjectOperation;
import dev.gitopsinterlock.carryout.Effect.ReplaceJob;
import dev.gitopsinterlock.carryout.Effect.TryReplacement;
import dev.gitopsinterlock.carryout.OurMetadata;
import dev.gitopsinterlock.carryout.Outcome;
import dev.gitopsinterlock.carryout.Reinvocation;
import dev.gitopsinterlock.guidance.AdviceBeside;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.guidance.Preview;
import dev.gitopsinterlock.guidance.SuspendKept;
import dev.gitopsinterlock.guidance.UncertainEdit;
import dev.gitopsinterlock.immutability.Comparison;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.job.GeneratedFields;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.JobFieldSemantics;
import dev.gitopsinterlock.job.JobReason;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.KubernetesVersion;
import dev.gitopsinterlock.job.TtlDefault;
import dev.gitopsinterlock.job.carryout.EffectResponse;
import dev.gitopsinterlock.job.carryout.Replacement;
import dev.gitopsinterlock.job.carryout.SiblingJob;
import dev.gitopsinterlock.job.manifest.DroppedParts;
import dev.gitopsinterlock.job.rule.GuidanceSelector.Shape;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.WhenActive;
import dev.gitopsinterlock.tool.SentEdit;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Answers an edit of a Job that the API server is certain to refuse: with advice in its place, or, where the policy
 * allows, with an effect that carries the edit out.
 *
 * <p>Promises: never refuses what some supported API server would accept; the same answer for a dry run, but for Argo CD's
 * comparisons, which are shown a drift in place of a refusal; the same answer however often it is asked.
 */
public final class JobEditRule {

    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final List<String> UID_LABELS = List.of("batch.kubernetes.io/controller-uid", "controller-uid");

    private static final FieldPath COMPLETIONS = FieldPath.of("spec", "completions");

    private static final String JOB_CONTROLLER = "kubernetes.io/job-controller";

    private JobEditRule() {}

    /**
     * Decides about one request.
     *
     * @param levels the policy's levels
     * @param namespace annotations of the Job's Namespace, as far as they are known
     */
    public static Step<CarryOut> decide(JobChange change, Policy.Levels levels, Map<String, String> namespace) {
        if (isNeverTouched(change) || levels.isExempt(change.object().namespace())) {
            return Step.answered(Decision.allow(JobReason.NEVER_TOUCHED));
        }
        if (Reinvocation.isStale(change)) {
            return Step.answered(Decision.allow(JobReason.UNSURE));
        }
        var submitted = new PatchBuilder(change.after());
        Reinvocation.tidy(change, submitted);
        if (Reinvocation.isPutForTheOldOne(change)) {
            TtlDefault.keep(change.before(), submitted);
        }
        if (change.before().path("spec").equals(change.after().path("spec"))) {
            return Step.answered(Decision.allow(JobReason.NO_IMMUTABLE_CHANGE, submitted.patch()));
        }
        var policy = levels.resolve(change.object().namespace(), change.annotations(), namespace);
        if (policy.values().onImmutableChange() != OnImmutableChange.IGNORE) {
            putBack(change.before(), submitted);
        }
        return Comparison.between(
                        JobFieldSemantics.SEMANTICS,
                        SPEC,
                        change.before().path("spec"),
                        submitted.object().path("spec"))
                .map(differences -> judge(change, submitted, differences, policy))
                .orElseGet(() -> Step.answered(Decision.allow(JobReason.UNSURE)));
    }

    /** What a PUT of a manifest left out, because others gave it to the Job when it was created. */
    private static void putBack(JsonNode live, PatchBuilder submitted) {
        HoldLabel.putBack(live, submitted);
        GeneratedFields.putBack(live, submitted);
    }

    /** Decides again, once the edit is carried out or could not be. */
    public static Decision conclude(JobChange change, CarryOut carryOut, Outcome outcome) {
        return EffectResponse.told(change, EffectResponse.of(change, carryOut.effect(), outcome))
                .withWarnings(carryOut.warnings());
    }

    private static boolean isNeverTouched(JobChange change) {
        return change.operation() != Operation.UPDATE
                || !change.subresource().isEmpty()
                || change.isForOthers()
                || change.isTerminating();
    }

    /**
     * What becomes of an edit that nobody has sent yet, as far as the API server decides it; empty where the two Jobs
     * cannot be compared. Policies have no part in it.
     */
    public static Optional<JobForecast> forecast(JobChange change, JobForecast.Circumstances met) {
        var submitted = new PatchBuilder(change.after());
        putBack(change.before(), submitted);
        var after = submitted.object().path("spec");
        return Comparison.between(
                        JobFieldSemantics.SEMANTICS, SPEC, change.before().path("spec"), after)
                .map(differences -> classify(
                        met.imagined() ? asIfAdded(differences) : differences, met.state(), after, met.version()))
                .map(classified -> new JobForecast(
                        fields(classified.refused()),
                        fields(classified.unsure()),
                        Stream.of(classified.refused(), classified.unsure())
                                .filter(Predicate.not(List::isEmpty))
                                .findFirst()
                                .map(known -> guidance(change, known))));
    }

    /** A field that some servers drop may be missing in the live Job although its manifest has it. */
    private static List<Difference> asIfAdded(List<Difference> differences) {
        return differences.stream()
                .map(difference -> new Difference(difference.path(), Difference.Kind.ADDED))
                .toList();
    }

    private static List<FieldPath> fields(List<Difference> differences) {
        return differences.stream().map(Difference::path).distinct().toList();
    }

    /** Differences that cannot pass, in the order of the API reference, and those that may. */
    private record Classified(List<Difference> refused, List<Difference> unsure) {}

    private static Classified classify(
            List<Difference> differences, JobState state, JsonNode after, Optional<KubernetesVersion> version) {
        var byMutability = differences.stream()
                .collect(Collectors.groupingBy(
                        difference -> ImmutableJobFields.mutability(difference, state, after, version)));
        return new Classified(
                inApiOrder(byMutability.getOrDefault(Mutability.REFUSED, List.of())),
                inApiOrder(byMutability.getOrDefault(Mutability.UNSURE, List.of())));
    }

    private static List<Difference> inApiOrder(List<Difference> differences) {
        return differences.stream()
                .sorted(ImmutableJobFields.TABLE.inApiOrder())
                .toList();
    }

    private static Step<CarryOut> judge(
            JobChange change, PatchBuilder submitted, List<Difference> differences, Policy policy) {
        var after = submitted.object().path("spec");
        var classified = classify(differences, JobState.of(change.before()), after, Optional.empty());
        if (isDroppedSomewhere(change, submitted.object(), classified)) {
            return Step.answered(uncertain(change, submitted, classified.refused(), policy.values()));
        }
        var refused = classified.refused();
        var unsure = classified.unsure();
        // the API server asks again about an edit that was carried out: before anything can stand in its way
        if (!refused.isEmpty()
                && policy.values().onImmutableChange() == OnImmutableChange.REPLACE
                && Replacement.isDone(change, submitted.object(), refused)) {
            return Step.answered(EffectResponse.alreadyReplaced(change, submitted, refused));
        }
        if (!refused.isEmpty() && Reinvocation.isPutForTheOldOne(change)) {
            // another edit of the Job that is gone: the API server answers with a conflict
            return Step.answered(Decision.allow(JobReason.UNSURE));
        }
        if (!refused.isEmpty()) {
            return withFindings(change, refused(change, submitted.object(), refused, policy.values()), policy);
        }
        if (!unsure.isEmpty()) {
            return Step.answered(uncertain(change, submitted, unsure, policy.values()));
        }
        var repaired = !submitted.object().path("spec").equals(change.after().path("spec"));
        var decision = Decision.allow(repaired ? JobReason.REPAIRED : JobReason.NO_IMMUTABLE_CHANGE, submitted.patch());
        return Step.answered(
                GeneratedFields.keptRunning(change.after(), submitted.object())
                        ? decision.withWarnings(
                                List.of(new SuspendKept(change.object().name())))
                        : decision);
    }

    /** Whether all that is refused is of parts that some server drops, so that this one accepts what is left. */
    private static boolean isDroppedSomewhere(JobChange change, JsonNode submitted, Classified classified) {
        if (classified.refused().isEmpty()) {
            return false;
        }
        var kept = DroppedParts.without(submitted, change.before());
        return !kept.equals(submitted)
                && Comparison.between(
                                JobFieldSemantics.SEMANTICS,
                                SPEC,
                                change.before().path("spec"),
                                kept.path("spec"))
                        .filter(differences -> classify(
                                        differences, JobState.of(change.before()), kept.path("spec"), Optional.empty())
                                .refused()
                                .isEmpty())
                        .isPresent();
    }

    private static Step<CarryOut> withFindings(JobChange change, Step<CarryOut> step, Policy policy) {
        return switch (step) {
            case Answered<CarryOut>(var decision) ->
                Step.answered(EffectResponse.told(change, decision.withWarnings(policy.findings())));
            case Ask<CarryOut>(var carryOut) -> new Ask<>(new CarryOut(carryOut.effect(), policy.findings()));
        };
    }

    private static Step<CarryOut> refused(
            JobChange change, JsonNode submitted, List<Difference> refused, Policy.Values policy) {
        return switch (policy.onImmutableChange()) {
            case IGNORE -> Step.answered(Decision.allow(JobReason.POLICY));
            case REJECT -> denied(guidance(change, refused));
            case WARN ->
                Step.answered(Decision.allow(JobReason.WARNED)
                        .withWarnings(List.of(new AdviceBeside(guidance(change, refused)))));
            case PREVIEW -> preview(change, submitted, refused, policy);
            case REPLACE ->
                obstacle(change, refused)
                        .map(JobEditRule::denied)
                        .orElseGet(() -> replace(change, submitted, refused, policy));
            case GENERATE_NAME ->
                obstacle(change, refused)
                        .map(JobEditRule::denied)
                        .orElseGet(() -> run(change, submitted, refused, policy));
        };
    }

    private static Step<CarryOut> denied(JobEditGuidance guidance) {
        return Step.answered(Decision.deny(guidance));
    }

    private static Step<CarryOut> carriedOut(Effect effect) {
        return new Ask<>(new CarryOut(effect, List.of()));
    }

    /** What must not be carried out at all: another Job's manifest, and hooks, which Argo CD looks after. */
    private static Optional<JobEditGuidance> obstacle(JobChange change, List<Difference> refused) {
        var isForeign = !GeneratedFields.hasManualSelector(change.before())
                && refused.stream().map(Difference::path).anyMatch(GeneratedFields::covers);
        if (isForeign) {
            return Optional.of(guidance(change, refused));
        }
        return isHookOfArgoCd(change) ? Optional.of(hookGuidance(change, refused)) : Optional.empty();
    }

    /** Whoever does not run it as a hook is told that it is one. */
    private static JobEditGuidance hookGuidance(JobChange change, List<Difference> refused) {
        var plain = guidance(change, refused);
        return change.tool() == Tool.ARGO_CD || plain.code().equals(GuidanceCode.COMPLETIONS_WITHOUT_PARALLELISM)
                ? plain
                : new JobEditGuidance(
                        GuidanceCode.REPLACE_ARGO_CD_HOOK, plain.requester(), plain.job(), plain.fields());
    }

    private static boolean isHookOfArgoCd(JobChange change) {
        var marks = change.marks();
        return marks.isArgoCdHook() || (marks.isHelmHook() && change.tool() == Tool.ARGO_CD);
    }

    private static Optional<JobEditGuidance> obstacleToReplacement(
            JobChange change, List<Difference> refused, Policy.Values policy) {
        var live = change.before();
        var code = Optional.<GuidanceCode>empty();
        if (!live.path("metadata").path("finalizers").isEmpty()) {
            code = Optional.of(GuidanceCode.REPLACE_JOB_WITH_FINALIZER);
        } else if (!live.path("spec").path("managedBy").asText(JOB_CONTROLLER).equals(JOB_CONTROLLER)) {
            code = Optional.of(GuidanceCode.REPLACE_JOB_OF_ANOTHER_CONTROLLER);
        } else if (JobState.finishedAt(live).isEmpty() && policy.whenActive() == WhenActive.REJECT) {
            code = Optional.of(GuidanceCode.REPLACE_ACTIVE_JOB);
        }
        return code.map(known -> new JobEditGuidance(known, change.tool(), change.object(), paths(refused)));
    }

    /** What would become of it, asked in the order in which a replacement asks. */
    private static Step<CarryOut> preview(
            JobChange change, JsonNode submitted, List<Difference> refused, Policy.Values policy) {
        var advice = guidance(change, refused);
        return obstacle(change, refused)
                .or(() -> obstacleToReplacement(change, refused, policy))
                .map(obstacle -> denied(advice.with(preview(obstacle.code()))))
                .orElseGet(() -> carriedOut(new TryReplacement(
                        replacement(change, submitted, refused, policy).asDryRun(), advice)));
    }

    private static Preview preview(GuidanceCode obstacle) {
        return switch (obstacle.token()) {
            case "ReplaceActiveJob" -> new Preview("active", "the Job is not finished");
            case "ReplaceJobWithFinalizer" -> new Preview("finalizer", "it has a finalizer");
            case "ReplaceJobOfAnotherController" -> new Preview("another_controller", "another controller manages it");
            case "ReplaceArgoCdHook" -> new Preview("hook", "it is a hook of Argo CD");
            default -> new Preview("never", "an edit such as this one is never carried out");
        };
    }

    private static Step<CarryOut> replace(
            JobChange change, JsonNode submitted, List<Difference> refused, Policy.Values policy) {
        return obstacleToReplacement(change, refused, policy)
                .map(JobEditRule::denied)
                .orElseGet(() -> carriedOut(replacement(change, submitted, refused, policy)));
    }

    private static ReplaceJob replacement(
            JobChange change, JsonNode submitted, List<Difference> refused, Policy.Values policy) {
        var job = Replacement.of(change, submitted, policy.ttlSecondsAfterFinished());
        return new ReplaceJob(
                ObjectOperation.inPlace(ResourceType.JOB, change, paths(refused), job),
                JobState.finishedAt(change.before()));
    }

    private static Step<CarryOut> run(
            JobChange change, JsonNode submitted, List<Difference> refused, Policy.Values policy) {
        var run = SiblingJob.of(change, submitted, policy.ttlSecondsAfterFinished());
        return run.alreadyRan()
                ? Step.answered(EffectResponse.alreadyRan(change))
                : carriedOut(new CreateSibling(
                        ObjectOperation.of(
                                ResourceType.JOB,
                                change,
                                paths(refused),
                                run.job(),
                                OurMetadata.MANAGER,
                                MissingNode.getInstance()),
                        run.lastRun()));
    }

    /**
     * Lets an edit through that the API server may refuse. Who looks at what a client prints is told what would help;
     * a controller that nobody knows, such as a queue's, is not.
     */
    private static Decision uncertain(
            JobChange change, PatchBuilder submitted, List<Difference> unsure, Policy.Values policy) {
        var allowed = Decision.allow(JobReason.UNSURE, submitted.patch());
        var ifRefused = guidance(change, unsure);
        var isUnknownController = change.tool() == Tool.UNKNOWN
                && change.requester().serviceAccount().isPresent();
        return isUnknownController || policy.onImmutableChange() == OnImmutableChange.IGNORE
                ? allowed
                : allowed.withWarnings(List.of(new UncertainEdit(ifRefused.code())));
    }

    private static JobEditGuidance guidance(JobChange change, List<Difference> refused) {
        var shape = shape(change, refused);
        var tool = change.tool();
        var edit = new SentEdit(change.manager(), change.marks(), GeneratedFields.isPutOfManifest(change.after()));
        var code = new GuidanceSelector(tool, edit, shape).code();
        return new JobEditGuidance(code, tool, change.object(), paths(refused));
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
        return Shape.ORDINARY;
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

    private static List<String> paths(List<Difference> refused) {
        return refused.stream()
                .map(difference -> difference.path().toString())
                .distinct()
                .toList();
    }
}
