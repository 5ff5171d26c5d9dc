package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Asking;
import dev.gitopsinterlock.admission.Caller.Unproven;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.job.policy.CarryOutScope;
import dev.gitopsinterlock.job.policy.JobPolicy;
import dev.gitopsinterlock.job.rule.NewJobRoute;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.text.Trees;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the sender gets, and what is logged, when a rule breaks. */
class ReviewPipelineTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Records records = new Records();
    private final Logger logger = Logger.getLogger(ReviewPipeline.class.getName());

    @BeforeEach
    void listen() {
        logger.addHandler(records);
    }

    @AfterEach
    void stopListening() {
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
                                new Unproven(),
                                Body.of(review.toString().getBytes(UTF_8)),
                                Deadline.in(Duration.ofSeconds(10))))
                .toCompletableFuture()
                .join();

        assertThat(answer.getStatus()).isEqualTo(500);
        var line = (String) answer.getEntity();
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
                                new Unproven(),
                                Body.of(review.toString().getBytes(UTF_8)),
                                Deadline.in(Duration.ofSeconds(10))))
                .toCompletableFuture()
                .join();

        assertThat(answer.getStatus()).isEqualTo(200);
        assertThat(Trees.json((byte[]) answer.getEntity()).path("response"))
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

    private ReviewPipeline pipeline() {
        return new ReviewPipeline(
                Reviewed.PAGES, new ReviewMetrics(registry), new HeapRoom(), namespace -> namespace.equals("broken"));
    }

    /** A route whose rule throws what it judges. */
    private static final class Broken implements Route<JobChange, Void> {

        private final NewJobRoute jobs = new NewJobRoute(
                new JobPolicy.Levels(
                        JobPolicy.Values.DEFAULT,
                        true,
                        new CarryOutScope.Off(CarryOutScope.Why.SWITCHED_OFF),
                        Set.of()),
                (caller, job, warnings) -> {});

        @Override
        public String path() {
            return "mutate/jobs";
        }

        @Override
        public Set<String> kinds() {
            return jobs.kinds();
        }

        @Override
        public ParseResult<JobChange> read(JsonNode request) {
            return jobs.read(request);
        }

        @Override
        public Step<Void> decide(JobChange change, Asking asking) {
            throw new IllegalStateException(change.after().toString());
        }

        @Override
        public String about(JobChange change) {
            return "";
        }
    }

    private static final class Records extends Handler {

        private final List<String> lines = new ArrayList<>();
        private final Formatter formatter = new PatternFormatter("%m");

        @Override
        public void publish(LogRecord record) {
            lines.add(formatter.format(record));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
