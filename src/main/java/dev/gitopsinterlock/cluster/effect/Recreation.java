package dev.gitopsinterlock.cluster.effect;

import com.fasterxml.jackson.core.JsonPointer;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.cluster.effect.Intents.Found.Gone;
import dev.gitopsinterlock.cluster.effect.Intents.Found.Order;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.effect.Outcome.Done;
import dev.gitopsinterlock.effect.Outcome.RecreateFailed;
import dev.gitopsinterlock.effect.Outcome.Superseded;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Creates the new object once the old one is gone, again and again for as long as there is time. Blocks. */
final class Recreation {

    private static final Logger LOG = Logger.getLogger(Recreation.class);

    /** What is kept back of the time that a review has, for creating the new object. */
    static final Duration RESERVE = Duration.ofSeconds(2);

    /** Says of a new object whose place it took. */
    private static final JsonPointer REPLACED = OurMetadata.annotation(OurMetadata.REPLACED);

    private final KubernetesApi api;
    private final ObjectCreation creation;
    private final Intents intents;
    private final ProcessClock clock;

    Recreation(KubernetesApi api, ObjectCreation creation, Intents intents, ProcessClock clock) {
        this.api = api;
        this.creation = creation;
        this.intents = intents;
        this.clock = clock;
    }

    /** Where it is refused with what others wrote, it is created without that, as it was tried. */
    End createWithLateWrites(
            ObjectOperation tried,
            ObjectOperation ordered,
            Identity identity,
            String intent,
            Deadline alone,
            Deadline deadline) {
        var end = create(ordered, identity, intent, alone, deadline);
        var isAsTried = ordered.newObject().equals(tried.newObject());
        return end.isFinal() && end.outcome() instanceof RecreateFailed && !isAsTried
                ? create(tried, identity, intent, alone, deadline)
                : end;
    }

    /**
     * The name makes this safe to repeat: there is never a second one. The deadline is the answer's and not the object's: if
     * it passes first, the intent stays, and whoever looks after intents goes on.
     */
    private End create(ObjectOperation operation, Identity identity, String intent, Deadline alone, Deadline deadline) {
        var end = deadline.leaves(LiveObjects.STEP) ? deadline : Deadline.in(clock, RESERVE);
        if (!alone.leaves(Duration.ZERO)) {
            // this process stood still, and another one may have finished this and more
            try {
                var found = intents.read(intent, RESERVE);
                if (found instanceof Gone
                        || (found instanceof Order order
                                && !order.namespaceUid().equals(intents.namespaceUid(operation, RESERVE)))) {
                    return End.of(new Superseded());
                }
            } catch (IOException e) {
                LOG.debug("no answer to whether it is still intended", e);
                return End.notYet("the API server does not answer");
            }
        }
        var why = "no time was left";
        for (int attempt = 1; end.leaves(LiveObjects.STEP); attempt++) {
            try {
                var answer =
                        creation.create(operation, identity, end.remaining().dividedBy(2));
                if (attempt > 1 && answer.alreadyExists()) {
                    var before = createdBefore(operation, end);
                    before.ifPresent(job -> creation.created(operation, job, RESERVE));
                    answer = before.orElse(answer);
                }
                if (answer.isSuccess()) {
                    return End.of(new Done());
                }
                if (answer.alreadyExists()) {
                    return End.of(new Superseded());
                }
                why = answer.words();
                if (answer.isPermanentRefusal()) {
                    return End.of(new RecreateFailed(why));
                }
            } catch (IOException e) {
                LOG.debug("creation without an answer", e);
                // the last one has hardly any time; what was said before it tells more
                why = attempt == 1 ? "the API server does not answer" : why;
            }
            clock.pause(LiveObjects.STEP);
        }
        return End.notYet(why);
    }

    /** The new object, if it comes from an attempt whose answer was lost. */
    private Optional<ApiAnswer> createdBefore(ObjectOperation operation, Deadline deadline) throws IOException {
        return Optional.of(api.get(operation.path(), deadline.remaining().dividedBy(2)))
                .filter(answer -> answer.isSuccess()
                        && answer.body()
                                .at(REPLACED)
                                .asText()
                                .startsWith(operation.newObject().at(REPLACED).asText()));
    }
}
