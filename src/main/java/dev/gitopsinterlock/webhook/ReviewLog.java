package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.logging.FactLog;
import dev.gitopsinterlock.logging.LogRateLimiter;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.webhook.ReviewBody.Review;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jboss.logmanager.Level;

/** The lines of the log about reviews, in the name of {@link ReviewPipeline}. Names and field paths, never values. Thread-safe. */
final class ReviewLog {

    private static final Logger LOG = Logger.getLogger(ReviewPipeline.class);
    private static final FactLog LINES = new FactLog(ReviewPipeline.class);
    private static final int MAX_CAUSES = 5;
    private static final int MAX_FRAMES = 12;
    private static final Pattern UID = Pattern.compile("[A-Za-z0-9-]{1,64}");

    private final LogRateLimiter complaints = new LogRateLimiter(InstantSource.system());
    private final LogRateLimiter gaps = new LogRateLimiter(InstantSource.system());

    /** A line for a review that no rule has judged, one a minute. */
    void notJudged(String why, Route<?, ?> route, String uid) {
        complaints.warn(
                LOG, "left to the API server, %s endpoint=%s uid=%s".formatted(why, route.label(), printable(uid)));
    }

    /** A line for an exception that nobody expected. */
    void failed(UUID errorId, Route<?, ?> route, Review review, Throwable failure) {
        LOG.errorf(
                "review failed: error=%s endpoint=%s uid=%s at=%s",
                errorId, route.label(), printable(review.uid()), where(failure));
    }

    /** A line for a decision. */
    <C> void decided(Route<C, ?> route, Review review, C change, Decision decision, Duration duration) {
        switch (decision.verdict()) {
            case Deny(var denial) -> {
                var level = denial.isRepeated() ? Level.DEBUG : Level.INFO;
                LINES.log(level, "denied", () -> {
                    var reason = List.of(new Fact("reason", denial.token()));
                    return Stream.of(denial.facts(), route.about(change), reason, of(route, review, duration));
                });
            }
            case Allow(var reason, var patch) -> {
                reason.complaint()
                        .ifPresent(complaint -> gaps.next()
                                .ifPresent(heldBack -> LOG.warnf(
                                        "%s: reason=%s (and %d more unlogged)", complaint, reason.token(), heldBack)));
                var what = List.of(
                        new Fact("reason", reason.token()), new Fact("patched", String.valueOf(!patch.isEmpty())));
                LINES.log(
                        patch.isEmpty() && !route.isLogged() ? Level.DEBUG : Level.INFO,
                        "allowed",
                        () -> Stream.of(what, route.about(change), of(route, review, duration)));
            }
        }
    }

    /** What every line has. */
    private static List<Fact> of(Route<?, ?> route, Review review, Duration duration) {
        var username = review.request().path("userInfo").path("username").asText();
        return List.of(
                new Fact("requester", Requester.sort(username)),
                new Fact("endpoint", route.label()),
                new Fact("ms", String.valueOf(duration.toMillis())),
                new Fact("uid", printable(review.uid())));
    }

    /** Kinds and places of an exception and its causes, without their messages: those can hold values of the object. */
    private static String where(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MAX_CAUSES)
                .map(cause -> cause.getClass().getName() + " "
                        + Arrays.stream(cause.getStackTrace())
                                .limit(MAX_FRAMES)
                                .map(StackTraceElement::toString)
                                .toList())
                .collect(Collectors.joining(", caused by "));
    }

    /** The uid comes from outside and could hold anything. */
    private static String printable(String uid) {
        return UID.matcher(uid).matches() ? uid : "unprintable";
    }
}
