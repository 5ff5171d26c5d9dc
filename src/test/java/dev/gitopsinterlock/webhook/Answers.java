package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.guidance.GuidanceText;
import dev.gitopsinterlock.job.JobEditRule;
import dev.gitopsinterlock.job.JobPolicy;
import dev.gitopsinterlock.job.OnImmutableChange;
import dev.gitopsinterlock.testing.Trees;
import dev.gitopsinterlock.webhook.JobReading.JobRequest;
import dev.gitopsinterlock.webhook.JobReading.Unjudgeable;
import dev.gitopsinterlock.webhook.ReviewReading.Malformed;
import dev.gitopsinterlock.webhook.ReviewReading.Review;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The way from a review to its answer, as the mutating endpoint goes it. */
final class Answers {

    private static final ReviewWriter WRITER =
            new ReviewWriter(new GuidanceText("https://gitops-interlock.dev/guidance/"));

    private Answers() {}

    /** The answer's bytes, or what would be logged where there is none. */
    static String of(JsonNode review, Map<String, String> namespace) {
        return switch (ReviewReader.read(Trees.bytes(review))) {
            case Malformed(var fault) -> fault.line();
            case Review(String uid, JsonNode request) ->
                switch (JobReader.read(request)) {
                    case Unjudgeable(String where) -> where;
                    case JobRequest(var change) ->
                        new String(
                                WRITER.write(
                                        uid,
                                        JobEditRule.decide(
                                                change,
                                                new JobPolicy.Levels(OnImmutableChange.REJECT, true),
                                                namespace)),
                                StandardCharsets.UTF_8);
                };
        };
    }
}
