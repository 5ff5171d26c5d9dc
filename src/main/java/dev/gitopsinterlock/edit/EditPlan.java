package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.admission.Step.Answered;
import dev.gitopsinterlock.admission.Step.Ask;
import dev.gitopsinterlock.effect.Effect;
import dev.gitopsinterlock.effect.Effect.TryReplacement;
import dev.gitopsinterlock.effect.PlannedEffect;
import dev.gitopsinterlock.guidance.AdviceBeside;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import java.util.List;
import java.util.Optional;

/**
 * What is done with an edit that the API server refuses: the last stage of {@link EditRule}.
 *
 * @param strategy how it is carried out, where the kind has a way and the cluster allows it
 * @param submitted the object as the client wants it, repaired
 * @param refused at least one
 * @param minor the API server's minor version; 0 where it is not known
 */
record EditPlan(
        GuardedKind kind,
        Optional<Strategy> strategy,
        Change change,
        PatchBuilder submitted,
        List<FieldPath> refused,
        Policy policy,
        int minor) {

    Step<PlannedEffect> step() {
        var word = policy.values().onImmutableChange();
        // the API server asks again about an edit that was carried out: before anything can stand in its way
        if (word == OnImmutableChange.REPLACE
                && strategy.filter(known -> known.isDone(change, object(), refused))
                        .isPresent()) {
            return Step.answered(answer().alreadyReplaced(submitted, refused));
        }
        if (Reinvocation.isPutForTheOldOne(change)) {
            // another edit of the one that is gone: the API server answers with a conflict
            return Step.answered(Decision.allow(EditReason.UNSURE));
        }
        return withFindings(
                switch (word) {
                    case IGNORE -> Step.answered(Decision.allow(EditReason.POLICY));
                    case REJECT -> denied(advice());
                    case WARN ->
                        // left to the API server, which is certain to refuse it
                        Step.answered(
                                Decision.allow(EditReason.WARNED).withWarnings(List.of(new AdviceBeside(advice()))));
                    case PREVIEW -> preview(advice());
                    case REPLACE -> replace(advice());
                    case GENERATE_NAME -> run(advice());
                });
    }

    private RefusedEdit advice() {
        return kind.denial(change, refused, minor);
    }

    private EditAnswer answer() {
        return new EditAnswer(kind, change, minor);
    }

    private JsonNode object() {
        return submitted.object();
    }

    /** What would become of it, asked in the order in which a replacement asks. */
    private Step<PlannedEffect> preview(RefusedEdit advice) {
        return strategy.map(known -> obstacle(known, advice)
                        .map(found -> denied(advice.with(found.preview())))
                        .orElseGet(() ->
                                planned(new TryReplacement(replacement(known).asDryRun(), advice))))
                .orElseGet(() -> denied(advice));
    }

    private Step<PlannedEffect> replace(RefusedEdit advice) {
        return strategy.map(known -> obstacle(known, advice)
                        .map(found -> denied(found, advice))
                        .orElseGet(() -> planned(replacement(known))))
                .orElseGet(() -> denied(advice));
    }

    private Step<PlannedEffect> run(RefusedEdit advice) {
        return strategy.flatMap(known -> known.obstacle(change, refused, advice.code())
                        .map(found -> denied(found, advice))
                        .or(() -> known.runBeside(change, object(), refused, policy.values())
                                .map(run -> known.hasRun(change, run)
                                        ? Step.<PlannedEffect>answered(answer().alreadyRan())
                                        : planned(run))))
                .orElseGet(() -> denied(advice));
    }

    private Optional<Obstacle> obstacle(Strategy known, RefusedEdit advice) {
        return known.obstacle(change, refused, advice.code())
                .or(() -> known.obstacleToReplacement(change, policy.values()));
    }

    private Effect.Replace replacement(Strategy known) {
        return known.replacement(change, object(), refused, policy.values());
    }

    private Step<PlannedEffect> denied(Obstacle obstacle, RefusedEdit advice) {
        return denied(obstacle.code()
                .map(code -> kind.denial(change, code, NewObject.texts(refused), obstacle.reason(), minor))
                .orElse(advice));
    }

    private static Step<PlannedEffect> denied(RefusedEdit advice) {
        return Step.answered(Decision.deny(advice));
    }

    private static Step<PlannedEffect> planned(Effect effect) {
        return new Ask<>(new PlannedEffect(effect, List.of()));
    }

    private Step<PlannedEffect> withFindings(Step<PlannedEffect> step) {
        return switch (step) {
            case Answered<PlannedEffect>(var decision) ->
                Step.answered(answer().forServerSideDiff(decision.withWarnings(policy.findings())));
            case Ask<PlannedEffect>(var planned) -> new Ask<>(new PlannedEffect(planned.effect(), policy.findings()));
        };
    }
}
