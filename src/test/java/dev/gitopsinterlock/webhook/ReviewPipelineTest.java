package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.ApiServer;
import dev.gitopsinterlock.admission.Caller.AuthenticationDisabled;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.RequestContext;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.job.rule.NewJobRoute;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.status.RecentReviews;
import dev.gitopsinterlock.testing.review.JobRoutes;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tracing.Tracing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the sender gets, and what is logged, when a rule breaks. */
class ReviewPipelineTest {

    private static final Policy.Levels LEVELS = new Policy.Levels(
            Policy.Values.DEFAULT, true, new ReplacementScope.Off(ReplacementScope.Why.SWITCHED_OFF), Set.of());

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Records records = new Records();
    private final List<ObjectReference> told = new ArrayList<>();
    private final Logger logger = Logger.getLogger(ReviewPipeline.class.getName());
    private @Nullable Level level;

    @BeforeEach
    void listen() {
        level = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addHandler(records);
    }

    @AfterEach
    void stopListening() {
        logger.setLevel(level);
        logger.removeHandler(records);
    }

    @Test
    void anExceptionInARuleIsA500WithAnErrorIdThatTheLogHasOnce() {
        var job = Jobs.finished();
        var review = Reviews.update(job, Jobs.with(job, "/spec/template/spec/containers/0/image", "s3cr3t:1"));

        var answer = pipeline()
                .answer(
                        new Broken(),
                        new Arrival(
                                new AuthenticationDisabled(),
                                Body.of(review.toString().getBytes(UTF_8)),
                                Deadline.in(Duration.ofSeconds(10)),
                                Optional.empty()))
                .toCompletableFuture()
                .join();

        assertThat(answer.status()).isEqualTo(500);
        var line = new String(answer.body(), UTF_8);
        assertThat(line).matches("the review could not be judged, error [0-9a-f-]{36}\n");
        assertThat(records.lines)
                .singleElement()
                .asString()
                .contains(
                        review.at("/request/uid").asText(),
                        "java.lang.IllegalStateException [dev.gitopsinterlock.webhook.ReviewPipelineTest$Broken.",
                        line.substring(line.lastIndexOf(' ') + 1).strip())
                .doesNotContain("s3cr3t");
        assertThat(registry.get("gitops.interlock.reviews")
                        .tag("verdict", "failed")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    /** Not even a rule that throws is asked. */
    @Test
    void underBreakGlassEverythingIsLetThrough() {
        var job = Jobs.finished();
        var review = Reviews.update(job, Jobs.with(job, "/spec/template/spec/containers/0/image", "another:1"));
        review.withObject("/request").put("namespace", "broken");

        var answer = pipeline()
                .answer(
                        new Broken(),
                        new Arrival(
                                new AuthenticationDisabled(),
                                Body.of(review.toString().getBytes(UTF_8)),
                                Deadline.in(Duration.ofSeconds(10)),
                                Optional.empty()))
                .toCompletableFuture()
                .join();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(Trees.json(answer.body()).path("response"))
                .isEqualTo(Trees.JSON
                        .createObjectNode()
                        .put("uid", review.at("/request/uid").asText())
                        .put("allowed", true));
        assertThat(registry.get("gitops.interlock.reviews")
                        .tag("reason", "break_glass")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aRefusalIsToldAndLoggedWithAllThatIsLookedFor() {
        var job = Jobs.finished();
        var review = Reviews.update(job, Jobs.with(job, "/spec/template/spec/containers/0/image", "s3cr3t:1"));

        answer(review, new ApiServer());

        assertThat(told).extracting(ObjectReference::name).containsExactly("db-migrate");
        assertThat(told.getFirst().uid()).isEqualTo(job.at("/metadata/uid").asText());
        assertThat(records.lines)
                .singleElement()
                .asString()
                .matches("denied: code=KubectlApplyJobEdit fields=\\[spec.template.spec.containers\\[0].image]"
                        + " tool=kubectl kind=Job object=shop/db-migrate dryRun=false reason=immutable requester=User"
                        + " endpoint=mutate-jobs ms=[0-9]+ uid=.+");
        assertThat(records.facts)
                .containsEntry("code", "KubectlApplyJobEdit")
                .containsEntry("object", "shop/db-migrate")
                .containsEntry("requester", "User");
    }

    @Test
    void nobodyIsToldOfARefusalThatWasOnlyTriedOrThatAnyoneCouldHaveSent() {
        var job = Jobs.finished();
        var review = Reviews.update(job, Jobs.with(job, "/spec/template/spec/containers/0/image", "another:1"));
        answer(review, new AuthenticationDisabled());
        review.withObject("/request").put("dryRun", true);
        answer(review, new ApiServer());

        assertThat(told).isEmpty();
        assertThat(records.lines).hasSize(2).allMatch(line -> line.startsWith("denied: "));
    }

    private void answer(JsonNode review, Caller caller) {
        var route = JobKind.route(LEVELS, JobRoutes.known(Map.of()), (apiServer, effect, patience) -> {
            throw new AssertionError("nothing is carried out");
        });
        pipeline()
                .answer(
                        route,
                        new Arrival(
                                caller,
                                Body.of(review.toString().getBytes(UTF_8)),
                                Deadline.in(Duration.ofSeconds(10)),
                                Optional.empty()))
                .toCompletableFuture()
                .join();
    }

    private ReviewPipeline pipeline() {
        return new ReviewPipeline(
                Reviewed.PAGES,
                new ReviewMetrics(registry),
                new MemoryBudget(),
                namespace -> namespace.equals("broken"),
                (caller, object, denial) -> told.add(object),
                new RecentReviews(),
                Tracing.OFF);
    }

    /** A route whose rule throws what it judges. */
    private static final class Broken implements Route<Change, Void> {

        private final NewJobRoute jobs = new NewJobRoute(LEVELS, (caller, job, warnings) -> {});

        @Override
        public String path() {
            return "mutate/jobs";
        }

        @Override
        public Set<String> kinds() {
            return jobs.kinds();
        }

        @Override
        public ParseResult<Change> read(JsonNode request) {
            return jobs.read(request);
        }

        @Override
        public Step<Void> decide(Change change, RequestContext context) {
            throw new IllegalStateException(change.after().toString());
        }

        @Override
        public List<Fact> about(Change change) {
            return change.about();
        }
    }

    private static final class Records extends Handler {

        private final List<String> lines = new ArrayList<>();
        private final Map<String, String> facts = new HashMap<>();
        private final Formatter formatter = new PatternFormatter("%m");

        @Override
        public void publish(LogRecord record) {
            lines.add(formatter.format(record));
            facts.putAll(((ExtLogRecord) record).getMdcCopy());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
