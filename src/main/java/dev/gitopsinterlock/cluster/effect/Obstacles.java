package dev.gitopsinterlock.cluster.effect;

import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.Identity.OwnAccount;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.RightsMissing;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import dev.gitopsinterlock.tracing.CurrentSpan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What would stand in the way of an effect, asked before anything is touched. Blocks. */
final class Obstacles {

    private final KubernetesApi api;
    private final ObjectCreation creation;

    Obstacles(KubernetesApi api, ObjectCreation creation) {
        this.api = api;
        this.creation = creation;
    }

    /** Whatever would stand in the way of the replacement, asked before anything is touched. */
    Optional<Outcome> obstacleTo(ObjectOperation operation, Identity identity, Deadline latest) {
        return missingRight(operation, identity, List.of("delete", "create"), latest)
                .or(() -> CurrentSpan.step("trial", () -> obstacleByTrial(operation, identity, latest)));
    }

    /** What is deleted for real afterwards tells by itself whether it may be; asked for only where nothing will be. */
    private Optional<Outcome> obstacleByTrial(ObjectOperation operation, Identity identity, Deadline latest) {
        try {
            var trial = creation.send(operation, identity, true, latest.remaining());
            // the name is taken: by then every policy and quota has agreed
            var isAgreed = trial.isSuccess() || trial.alreadyExists();
            if (isAgreed && !operation.dryRun()) {
                return Optional.empty();
            }
            if (!isAgreed && (identity instanceof OwnAccount || !trial.isWithoutRight("create", operation.type()))) {
                return Optional.of(Failures.refusal(operation, trial, identity));
            }
            var options = ObjectDeletion.options(operation);
            options.putArray("dryRun").add("All");
            // the API server goes by the body and ignores the query, which is there for readers of the audit log
            var deletion = api.delete(operation.path() + "?dryRun=All", options, identity, latest.remaining());
            var missing = Stream.of(
                            deletion.isWithoutRight("delete", operation.type()) ? "delete" : "",
                            trial.isWithoutRight("create", operation.type()) ? "create" : "")
                    .filter(verb -> !verb.isEmpty())
                    .toList();
            if (!missing.isEmpty() && !(identity instanceof OwnAccount)) {
                return Optional.of(new RightsMissing(missing));
            }
            return deletion.isSuccess() || deletion.status() == 404
                    ? Optional.empty()
                    : Optional.of(Failures.refusal(operation, deletion, identity));
        } catch (IOException e) {
            return Optional.of(Failures.unreachable(e));
        }
    }

    /** Whoever acts in the name of the requester has the requester's rights and need not ask. */
    Optional<Outcome> missingRight(ObjectOperation operation, Identity identity, List<String> verbs, Deadline latest) {
        return identity instanceof OwnAccount
                ? CurrentSpan.step("rights", () -> missingRight(operation, verbs, latest))
                : Optional.empty();
    }

    private Optional<Outcome> missingRight(ObjectOperation operation, List<String> verbs, Deadline latest) {
        try {
            var missing = new ArrayList<String>();
            for (var verb : verbs) {
                var answer = AccessReviews.ofRequester(api, operation, verb, latest.remaining());
                if (!answer.isSuccess()) {
                    return Optional.of(
                            new Unavailable("rights could not be asked for, HTTP status " + answer.status()));
                }
                if (!answer.body().path("status").path("allowed").asBoolean()) {
                    missing.add(verb);
                }
            }
            return missing.isEmpty() ? Optional.empty() : Optional.of(new RightsMissing(missing));
        } catch (IOException e) {
            return Optional.of(Failures.unreachable(e));
        }
    }
}
