package dev.gitopsinterlock.admission;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One webhook of a feature: where its reviews come in, what they are about, and the rule that answers them. The pipeline
 * reads, decides, asks, concludes, writes, counts and logs; a route says only what is its own. Thread-safe. An exception
 * is a bug and becomes a 500, so that the failurePolicy of the webhook configuration decides.
 *
 * @param <C> the facts that the rule judges
 * @param <Q> what it may have to ask the cluster
 */
public interface Route<C, Q> {

    /** The path of the requests, without a leading slash: {@code mutate/jobs}. */
    String path();

    /** The stable name of this route in metrics and logs: {@code mutate-jobs}. */
    default String label() {
        return path().replace('/', '-');
    }

    /** The kinds of its objects, as {@code group/version/Kind}. */
    Set<String> kinds();

    /** The facts of a review's request. */
    ParseResult<C> read(JsonNode request);

    /** From memory: on an event loop, so it must not block. */
    Step<Q> decide(C change, RequestContext context);

    /**
     * Asks the question and decides. On a thread of its own, which may wait as long as the caller does. Of no use to a
     * route that never asks.
     */
    default Decision conclude(C change, Q question, RequestContext context) {
        throw new IllegalStateException("nothing is ever asked");
    }

    /** The request, for the log. */
    List<Fact> about(C change);

    /**
     * The object whose owner is told of a refusal, too, and not only the client; empty where it was only tried, or is told
     * in another way.
     */
    default Optional<ObjectReference> denialEventTarget(C change) {
        return Optional.empty();
    }

    /** Whether an answer that changes nothing is logged too: few of them come, and people ask for the reason. */
    default boolean isLogged() {
        return false;
    }

    /**
     * Whether the API server asks here about what we do ourselves, so that those reviews must not wait for others.
     */
    default boolean seesOwnChanges() {
        return false;
    }
}
