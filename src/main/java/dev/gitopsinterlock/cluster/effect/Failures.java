package dev.gitopsinterlock.cluster.effect;

import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.Identity.OwnAccount;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.Refused;
import dev.gitopsinterlock.effect.Outcome.RightsMissing;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import java.io.IOException;
import java.util.List;
import org.jboss.logging.Logger;

/** What an answer of the API server that is no success, or no answer at all, means for an effect. */
final class Failures {

    private static final Logger LOG = Logger.getLogger(Failures.class);

    private Failures() {}

    static Outcome refusal(ObjectOperation operation, ApiAnswer answer, Identity identity) {
        for (var verb : List.of("create", "delete")) {
            if (answer.isWithoutRight(verb, operation.type())) {
                return identity instanceof OwnAccount
                        ? new Unavailable("gitops-interlock's account may not %s %ss here"
                                .formatted(verb, operation.type().kind()))
                        : new RightsMissing(List.of(verb));
            }
        }
        if (answer.isWithoutImpersonation()) {
            return new Unavailable("Kubernetes does not let gitops-interlock's account act as the requester here");
        }
        return answer.isTransient()
                ? new Unavailable("the API server answered with HTTP status " + answer.status())
                : new Refused(answer.words());
    }

    static Outcome unreachable(IOException failure) {
        LOG.debug("no answer", failure);
        return new Unavailable("the API server did not answer in time");
    }
}
