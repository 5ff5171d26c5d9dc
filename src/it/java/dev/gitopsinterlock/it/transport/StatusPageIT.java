package dev.gitopsinterlock.it.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page that the packaged service has at the root of its management port. */
class StatusPageIT {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static Interlock interlock;

    @BeforeAll
    static void start() {
        interlock = jobsOnly().start();
    }

    @AfterAll
    static void stop() {
        interlock.close();
    }

    private static Interlock.Builder jobsOnly() {
        return Interlock.serving(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .with("gitops-interlock.machine-configs.sync-hold", "Disabled");
    }

    @Test
    void showsARefusedEditAndNoValueOfIt() {
        assertThat(interlock.ask(ReviewCase.named("severalFieldsInOrder")).statusCode())
                .isEqualTo(200);

        assertThat(interlock.get("/").body())
                .contains("<title>gitops-interlock status</title>", "Nothing needs a look", "spec.template")
                .contains("<span class=\"chip refused\">Refused</span>")
                .doesNotContain("example.com/", "No API server has asked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/status/style.css", "/status/icon.svg"})
    void isStrictAboutWhatABrowserMayDoWithIt(String path) {
        var answer = send("GET", path);

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'; style-src 'self'; img-src 'self';")
                .contains("frame-ancestors 'none'", "form-action 'none'");
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(answer.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
    }

    @Test
    void headIsAnsweredWithoutTheBody() {
        var answer = send("HEAD", "/");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
        assertThat(answer.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
    void nothingElseIsAnswered(String method) {
        var answer = send(method, "/");

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD");
    }

    /** A page of others' that a browser takes for this one: what it leads to has its own name. */
    @Test
    void whoComesByAnotherNameIsSentAway() throws IOException {
        assertThat(byName(interlock, "rebound.example"))
                .startsWith("HTTP/1.1 403 ")
                .contains("kubectl interlock dashboard")
                .doesNotContain("<html");
    }

    @Test
    void everyoneIsShownItWhereTheSettingSaysSo() throws IOException {
        try (var open =
                jobsOnly().with("gitops-interlock.status-page", "Everyone").start()) {
            assertThat(byName(open, "interlock.example")).startsWith("HTTP/1.1 200 ");
            assertThat(open.get("/").body()).contains("No API server has asked this replica");
        }
    }

    @Test
    void nobodyIsShownItWhereItIsDisabled() {
        try (var silent =
                jobsOnly().with("gitops-interlock.status-page", "Disabled").start()) {
            assertThat(silent.get("/").statusCode()).isEqualTo(404);
            assertThat(silent.get("/status/style.css").statusCode()).isEqualTo(404);
            assertThat(silent.get("/guidance/").statusCode()).isEqualTo(200);
        }
    }

    private static HttpResponse<String> send(String method, String path) {
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://" + interlock.management() + path))
                            .method(method, BodyPublishers.noBody())
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Java's client names no host but the one that it calls. */
    private static String byName(Interlock service, String host) throws IOException {
        var address = URI.create("http://" + service.management());
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                            .formatted(host)
                            .getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }
}
