package dev.gitopsinterlock.it.transport;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The service over HTTPS, without a cluster: a good review, and everything that is none. */
class BadInputIT {

    private static final int MEBI = 1024 * 1024;
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(Tls.context())
            .build();

    private static Interlock interlock;

    @BeforeAll
    static void start() {
        interlock = Interlock.serving(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .start();
    }

    @AfterAll
    static void stop() {
        interlock.close();
    }

    @Test
    void anEditIsAnsweredWithADenialUnderItsOwnUid() {
        var review = edit();

        post("/mutate/jobs", review.toString())
                .statusCode(200)
                .contentType(ContentType.JSON)
                .body("kind", equalTo("AdmissionReview"))
                .body("apiVersion", equalTo("admission.k8s.io/v1"))
                .body("response.uid", equalTo(review.at("/request/uid").asText()))
                .body("response.allowed", equalTo(false))
                .body("response.status.code", equalTo(422))
                .body("response.status.reason", equalTo("Invalid"))
                .body("response.status.details.causes[0].field", equalTo("spec.template.spec.containers[0].image"))
                .body("response.auditAnnotations.guidance", equalTo("KubectlApplyJobEdit"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``| the body is empty; expected an AdmissionReview",
                "hello s3cr3t| the body is not JSON, or is nested deeper than 200 levels",
                "{\"s3cr3t\":| the body is not JSON, or is nested deeper than 200 levels",
                "[]| the body is not an AdmissionReview of admission.k8s.io/v1",
                "{\"kind\":\"Pod\",\"s3cr3t\":1}| the body is not an AdmissionReview of admission.k8s.io/v1",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1beta1\",\"request\":{\"uid\":\"u\"}}"
                        + "| the body is not an AdmissionReview of admission.k8s.io/v1",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}"
                        + "| the AdmissionReview has no request with a uid",
                "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"u\",\"kind\":"
                        + "{\"group\":\"\",\"version\":\"v1\",\"kind\":\"s3cr3t\"}}}"
                        + "| the request is about another kind or version than this path is for"
            })
    void whatIsNoReviewGetsOneLine(String body, String line) {
        for (var path : List.of("/mutate/jobs", "/validate/jobs")) {
            post(path, body).statusCode(400).contentType(ContentType.TEXT).body(equalTo(line + "\n"));
        }
    }

    @ParameterizedTest(name = "{0} levels: {1}")
    @CsvSource({"200, 200", "201, 400", "100000, 400"})
    void deepNestingIsRefused(int depth, int status) {
        // the review, its request and the annotations around the value are levels too
        var nested = "[".repeat(depth - 2) + "]".repeat(depth - 2);
        var review = edit().toString().replaceFirst("\"request\":\\{", "\"request\":{\"deep\":" + nested + ",");

        post("/mutate/jobs", review).statusCode(status);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"/request/object", "/request/oldObject", "/request/object/spec", "/request/operation"})
    void whatLacksItsPartsIsLeftToTheApiServer(String pointer) {
        var review = edit();
        var cut = pointer.lastIndexOf('/');
        ((ObjectNode) review.at(pointer.substring(0, cut))).remove(pointer.substring(cut + 1));
        var before = counted("unsupported");

        post("/mutate/jobs", review.toString()).statusCode(200).body("response.allowed", equalTo(true));

        assertThat(counted("unsupported")).isEqualTo(before + 1);
    }

    /** Otherwise a proxy may see the end of the body elsewhere, and takes what follows for somebody else's request. */
    @ParameterizedTest
    @ValueSource(strings = {"Transfer-Encoding: xchunked\r\nContent-Length: 3", "Transfer-Encoding: gzip, chunked"})
    void aBodyOfUnclearLengthIsNotRead(String headers) throws IOException {
        try (var socket = Tls.connect(interlock.port())) {
            socket.getOutputStream()
                    .write(("POST /mutate/jobs HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n\r\n3\r\n{}\n\r\n0\r\n\r\n")
                            .getBytes(UTF_8));

            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("the length of the body is not said in one way");
        }
    }

    @Test
    void whatIsLeftToTheApiServerIsLoggedOnceAMinute() {
        var review = edit();
        ((ObjectNode) review.at("/request/object")).put("spec", "s3cr3t");

        for (int i = 0; i < 20; i++) {
            post("/mutate/jobs", review.toString()).statusCode(200);
        }

        assertThat(interlock.log().lines().filter(line -> line.contains("left to the API server")))
                .hasSize(1);
        assertThat(interlock.log()).doesNotContain("s3cr3t");
    }

    @Test
    void aBodyOverTheLimitGets413() throws Exception {
        var body = new byte[8 * MEBI + 1];

        assertThat(send(BodyPublishers.ofByteArray(body)).statusCode()).isEqualTo(413);
        assertThat(send(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void anotherMediaTypeGets415() {
        given().relaxedHTTPSValidation()
                .baseUri(interlock.url())
                .contentType(ContentType.XML)
                .body("<a/>")
                .post("/mutate/jobs")
                .then()
                .statusCode(415);
    }

    /** Sixteen at once of nearly the largest size, within a heap of 96 MiB. */
    @Test
    void bigBodiesAreAllAnswered() {
        var review = edit();
        ((ObjectNode) review.at("/request/object/metadata/annotations")).put("padding", "x".repeat(2 * MEBI));
        var body = review.toString();

        var answers = IntStream.range(0, 16)
                .mapToObj(i -> sendAsync(BodyPublishers.ofString(body)))
                .toList();

        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
    }

    @Test
    void onlyTls13AndHttp11AreSpoken() throws Exception {
        assertThatThrownBy(() -> Tls.connect(interlock.port(), "TLSv1.2").close())
                .isInstanceOf(SSLException.class);
        var http2 = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(Tls.context())
                .build()
                .send(request(BodyPublishers.ofString(edit().toString())), BodyHandlers.discarding());
        assertThat(http2.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
    }

    @Test
    void answersLeaveInOnePacket() throws Exception {
        try (Socket socket = Tls.connect(interlock.port())) {
            var body = edit().toString().getBytes(UTF_8);
            var head = "POST /mutate/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.length + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(UTF_8));
            socket.getOutputStream().write(body);
            var first = new byte[16 * 1024];
            var length = socket.getInputStream().read(first);
            assertThat(new String(first, 0, length, UTF_8))
                    .startsWith("HTTP/1.1 200")
                    .endsWith("}}");
        }
    }

    @Test
    void healthAndMetricsAreOnThePortOfTheirOwn() {
        given().relaxedHTTPSValidation()
                .baseUri(interlock.url())
                .get("/q/health")
                .then()
                .statusCode(404);
        assertThat(interlock.get("/q/health/live").statusCode()).isEqualTo(200);
        assertThat(interlock.get("/q/metrics").body())
                .contains("gitops_interlock_build_info{version=\"")
                .contains("gitops_interlock_certificate_expiration_timestamp_seconds");
    }

    private static double counted(String reason) {
        return interlock
                .metrics()
                .lines()
                .filter(line ->
                        line.startsWith("gitops_interlock_reviews_total") && line.contains("\"" + reason + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static ObjectNode edit() {
        var job = Jobs.finished();
        return Reviews.update(
                job, Jobs.with(job, "/spec/template/spec/containers/0/image", "registry.example/migrate:2.0"));
    }

    private static ValidatableResponse post(String path, String body) {
        return given().relaxedHTTPSValidation()
                .baseUri(interlock.url())
                .contentType(ContentType.JSON)
                .body(body)
                .post(path)
                .then();
    }

    private static HttpResponse<String> send(BodyPublisher body) throws IOException, InterruptedException {
        return CLIENT.send(request(body), BodyHandlers.ofString());
    }

    private static CompletableFuture<HttpResponse<String>> sendAsync(BodyPublisher body) {
        return CLIENT.sendAsync(request(body), BodyHandlers.ofString());
    }

    private static HttpRequest request(BodyPublisher body) {
        return HttpRequest.newBuilder(URI.create(interlock.url() + "/mutate/jobs"))
                .header("Content-Type", "application/json")
                .timeout(Duration.ofSeconds(60))
                .POST(body)
                .build();
    }
}
