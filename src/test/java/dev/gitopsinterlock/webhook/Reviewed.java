package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.RequestContext;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.admission.Step.Answered;
import dev.gitopsinterlock.admission.Step.Ask;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.status.RecentReviews;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tracing.Tracing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A review that has gone through the pipeline, with what its route said on the way.
 *
 * @param status of HTTP
 * @param body of the answer
 * @param parsed what was read of its request; empty where it was no review
 * @param question what the route asked the cluster; empty where it did not ask
 * @param decision empty where there was none
 */
record Reviewed<C, Q>(
        int status, String body, Optional<ParseResult<C>> parsed, Optional<Q> question, Optional<Decision> decision) {

    static final GuidancePages PAGES = PackagedPages.withoutAddress();

    /** Thousands of reviews, and what is logged of them is looked at elsewhere; kept, because loggers are held weakly. */
    private static final Logger LOG = Logger.getLogger(ReviewPipeline.class.getName());

    private static final ReviewPipeline PIPELINE;

    static {
        LOG.setLevel(Level.SEVERE);
        PIPELINE = new ReviewPipeline(
                PAGES,
                new ReviewMetrics(new SimpleMeterRegistry()),
                new MemoryBudget(),
                namespace -> false,
                (caller, object, denial) -> {},
                new RecentReviews(),
                Tracing.OFF);
    }

    /** Sent by the API server. An exception in the route is thrown. */
    static <C, Q> Reviewed<C, Q> by(Route<C, Q> route, JsonNode review) {
        return by(route, review, new Caller.ApiServer());
    }

    static <C, Q> Reviewed<C, Q> by(Route<C, Q> route, JsonNode review, Caller caller) {
        var recorder = new Recorder<>(route);
        var arrival = new Arrival(
                caller, Body.of(Trees.bytes(review)), Deadline.in(Duration.ofSeconds(10)), Optional.empty());
        var answer = PIPELINE.answer(recorder, arrival).toCompletableFuture().join();
        if (answer.status() == 500) {
            throw new AssertionError("an exception in the route: " + review);
        }
        var body = new String(answer.body(), UTF_8);
        return new Reviewed<>(answer.status(), body, recorder.parsed, recorder.question, recorder.decision);
    }

    /** As the API server gets it. */
    JsonNode answer() {
        return Trees.json(body.getBytes(UTF_8));
    }

    /** Notes what a route says. */
    private static final class Recorder<C, Q> implements Route<C, Q> {

        private final Route<C, Q> route;
        private Optional<ParseResult<C>> parsed = Optional.empty();
        private Optional<Q> question = Optional.empty();
        private Optional<Decision> decision = Optional.empty();

        Recorder(Route<C, Q> route) {
            this.route = route;
        }

        @Override
        public String path() {
            return route.path();
        }

        @Override
        public Set<String> kinds() {
            return route.kinds();
        }

        @Override
        public ParseResult<C> read(JsonNode request) {
            var result = route.read(request);
            parsed = Optional.of(result);
            return result;
        }

        @Override
        public Step<Q> decide(C change, RequestContext context) {
            var step = route.decide(change, context);
            switch (step) {
                case Answered<Q>(var answered) -> decision = Optional.of(answered);
                case Ask<Q>(Q asked) -> question = Optional.of(asked);
            }
            return step;
        }

        @Override
        public Decision conclude(C change, Q asked, RequestContext context) {
            var concluded = route.conclude(change, asked, context);
            decision = Optional.of(concluded);
            return concluded;
        }

        @Override
        public List<Fact> about(C change) {
            return route.about(change);
        }

        @Override
        public Optional<ObjectReference> denialEventTarget(C change) {
            return route.denialEventTarget(change);
        }

        @Override
        public boolean isLogged() {
            return route.isLogged();
        }
    }
}
