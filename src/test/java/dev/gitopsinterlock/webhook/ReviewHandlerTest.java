package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Caller.Unproven;
import dev.gitopsinterlock.cluster.Deadline;
import dev.gitopsinterlock.config.GuidancePages;
import dev.gitopsinterlock.testing.Jobs;
import dev.gitopsinterlock.testing.Reviews;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the sender gets, and what is logged, when a rule breaks. */
class ReviewHandlerTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Records records = new Records();
    private final Logger logger = Logger.getLogger(ReviewHandler.class.getName());

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

        var answer = handler()
                .answer(
                        Subject.JOB_EDIT,
                        new Arrival(
                                new Unproven(),
                                Body.of(review.toString().getBytes(UTF_8)),
                                Deadline.in(Duration.ofSeconds(10))),
                        (change, asking) -> {
                            throw new IllegalStateException(change.after().toString());
                        })
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
                        "java.lang.IllegalStateException [dev.gitopsinterlock.webhook.ReviewHandlerTest.",
                        line.substring(line.lastIndexOf(' ') + 1).strip())
                .doesNotContain("s3cr3t");
        assertThat(registry.get("gitops.interlock.reviews")
                        .tag("verdict", "failed")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    private ReviewHandler handler() {
        return new ReviewHandler(
                GuidancePages.text("https://gitops-interlock.dev/guidance/"),
                new ReviewMetrics(registry),
                new HeapRoom());
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
