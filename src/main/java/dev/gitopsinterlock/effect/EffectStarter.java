package dev.gitopsinterlock.effect;

import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.RequestContext;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.admission.Step.Answered;
import dev.gitopsinterlock.admission.Step.Ask;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import dev.gitopsinterlock.policy.Namespaces;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Has effects carried out where nothing stands in the way that has nothing to do with the edit.
 *
 * @param namespaces whose policy has to be known
 * @param runner who does it
 */
public record EffectStarter(Namespaces namespaces, EffectRunner runner) {

    private static final Outcome UNTRUSTED = new Unavailable(
            "the caller did not prove that it is the API server: the path in the webhook configuration lacks the caller token or has another one");
    private static final Outcome UNKNOWN_POLICY =
            new Unavailable("the Namespace's policy is not known, because Namespaces cannot be watched");

    /**
     * A rule's step, or its answer where nothing is begun, whatever the edit. From memory.
     *
     * @param conclude what is answered for an outcome
     */
    public Step<PlannedEffect> checked(
            Step<PlannedEffect> step, RequestContext context, BiFunction<PlannedEffect, Outcome, Decision> conclude) {
        return switch (step) {
            case Answered<PlannedEffect> answered -> answered;
            case Ask<PlannedEffect>(var planned) ->
                obstacle(planned.effect(), context)
                        .map(outcome -> Step.<PlannedEffect>answered(conclude.apply(planned, outcome)))
                        .orElse(step);
        };
    }

    private Optional<Outcome> obstacle(Effect effect, RequestContext context) {
        if (!namespaces.isKnown()) {
            // it may say Reject
            return Optional.of(UNKNOWN_POLICY);
        }
        if (!context.hasMemory()) {
            return Optional.of(
                    new Unavailable("gitops-interlock has too little memory to replace a %s as large as this one"
                            .formatted(effect.operation().type().kind())));
        }
        return context.caller() instanceof ApiServer ? Optional.empty() : Optional.of(UNTRUSTED);
    }

    /** Blocks, as {@link EffectRunner} does. */
    public Outcome run(Effect effect, RequestContext context) {
        return context.caller() instanceof ApiServer apiServer
                ? runner.run(apiServer, effect, context.deadline().remaining())
                : UNTRUSTED;
    }
}
