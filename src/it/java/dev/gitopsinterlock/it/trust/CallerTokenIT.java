package dev.gitopsinterlock.it.trust;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A review says itself who sent it, so an edit is carried out only for a caller who knows the token. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallerTokenIT {

    private static final String NEXT = "thenext0n3wh1l3r0tat3d";

    private final Interlock interlock = Interlock.serving(MountedSecret.create().directory())
            .replacing()
            .with("gitops-interlock.jobs.on-immutable-change", "Replace")
            .with("gitops-interlock.replacement.allow-job-annotations", "false")
            .with("gitops-interlock.jobs.allow-overrides", "false")
            .with("gitops-interlock.replacement.as", "ServiceAccount")
            .with("gitops-interlock.additional-caller-token", NEXT)
            .with("quarkus.kubernetes-client.api-server-url", "https://127.0.0.1:1")
            .start();

    @AfterAll
    void end() {
        interlock.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/mutate/jobs, did not prove that it is the API server",
        "/mutate/jobs/, did not prove that it is the API server",
        "/mutate/jobs/c4113rt0k3nf0rt3sts, did not prove that it is the API server",
        "/mutate/jobs/c4113rt0k3nf0rt3sts0/, did not prove that it is the API server",
        // nobody listens where the API server should be
        "/mutate/jobs/c4113rt0k3nf0rt3sts0, the API server did not answer",
        "/mutate/jobs/thenext0n3wh1l3r0tat3d, the API server did not answer"
    })
    void onlyEditsOfACallerWhoKnowsATokenTakeEffect(String path, String words) {
        var answer = interlock.ask(path, ReviewCase.named("replaceFinished"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("NotReplacedNow", words);
    }

    /** 404, 405, 413 and 415 once counted the whole path. */
    @ParameterizedTest
    @ValueSource(strings = {"too large", "no JSON", "no review", "another method", "another path", "no such path"})
    void theTokenIsInNoMetricNoLogAndNoAnswer(String request) {
        var answers = List.of(Interlock.TOKEN, NEXT).stream()
                .map(token -> send(request, token))
                .toList();

        assertThat(answers).allSatisfy(answer -> assertThat(answer.statusCode()).isBetween(400, 415));
        assertThat(answers.toString()
                        + interlock.metrics()
                        + interlock.log()
                        + interlock.get("/q/health").body())
                .contains("gitops_interlock_malformed_requests_total")
                .doesNotContain(Interlock.TOKEN, NEXT, "uri=");
    }

    private Interlock.Answer send(String request, String token) {
        var job = "/mutate/jobs/" + token;
        return switch (request) {
            case "too large" -> interlock.post(job, "application/json", " ".repeat(9 * 1024 * 1024));
            case "no JSON" -> interlock.post(job, "text/plain", "{}");
            case "no review" -> interlock.post(job, "application/json", "{");
            case "another method" -> interlock.post("DELETE", job, "application/json", "");
            case "another path" -> interlock.post("/mutate/pods/" + token, "application/json", "{}");
            case "no such path" -> interlock.post("/" + token, "application/json", "{}");
            default -> throw new IllegalArgumentException(request);
        };
    }

    /** Whatever Vert.x does not take for a request is answered before any route, and was logged with its path. */
    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1\r\n", "HTTP/1.1\r\nHost: x\r\nHost: y\r\n", "HTTP/1.0\r\n"})
    void norIsItAfterARequestThatIsNone(String version) throws IOException {
        try (var socket = Tls.connect(interlock.port())) {
            socket.getOutputStream()
                    .write(("POST /mutate/jobs/" + Interlock.TOKEN + " " + version
                                    + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
                            .getBytes(UTF_8));

            assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8))
                    .endsWith(" 400");
        }

        assertThat(interlock.log()).doesNotContain("ERROR");
        assertThat(interlock.log() + interlock.metrics()).doesNotContain(Interlock.TOKEN);
    }

    /** A Namespace may say Reject; while nobody knows, the cluster's Replace is not carried out. */
    @Test
    void whileNamespacesAreNotKnownNothingTakesEffect() {
        try (var blind = Interlock.serving(MountedSecret.create().directory())
                .replacing()
                .with("gitops-interlock.jobs.on-immutable-change", "Replace")
                .with("gitops-interlock.replacement.as", "ServiceAccount")
                .with("quarkus.kubernetes-client.api-server-url", "https://127.0.0.1:1")
                .launch()) {
            blind.awaitLive();

            var answer = blind.ask(ReviewCase.named("replaceFinished"));

            assertThat(answer.body()).contains("NotReplacedNow", "the Namespace's policy is not known");
        }
    }

    @Test
    void whatIsOffIsSaidInReadinessDetails() {
        assertThat(Trees.json(interlock.get("/q/health/ready").body()).toString())
                .contains("\"mode\":\"on, as the service account");
    }
}
