package dev.gitopsinterlock.edit;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.effect.Effect.TryReplacement;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.Done;
import dev.gitopsinterlock.effect.Outcome.NotImpersonated;
import dev.gitopsinterlock.effect.Outcome.RecreateFailed;
import dev.gitopsinterlock.effect.Outcome.Refused;
import dev.gitopsinterlock.effect.Outcome.RightsMissing;
import dev.gitopsinterlock.effect.Outcome.Superseded;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import dev.gitopsinterlock.guidance.Preview;

/** What a trial says about the replacement that it stands for. */
final class Previews {

    private Previews() {}

    /** The answer to the edit: its advice, with what came of the trial, which changed nothing. */
    static Decision denied(TryReplacement trial, Outcome outcome) {
        return Decision.deny(trial.advice().with(of(trial.operation().type().kind(), outcome)));
    }

    private static Preview of(String kind, Outcome trial) {
        return switch (trial) {
            case Done() -> Preview.REPLACED;
            case Superseded() -> not(trial, "somebody else has just changed or deleted it");
            case RightsMissing(var verbs) ->
                not(trial, "the right to %s %ss is missing".formatted(String.join(" and ", verbs), kind));
            case NotImpersonated(var why) -> not(trial, why);
            case Refused(var words) -> not(trial, words);
            case Unavailable(var why) -> not(trial, why);
            case RecreateFailed(var why) -> not(trial, why);
        };
    }

    private static Preview not(Outcome trial, String why) {
        return new Preview(trial.token(), why);
    }
}
