package dev.gitopsinterlock.build.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.chart.ChartFiles;
import dev.gitopsinterlock.build.dashboard.DashboardPage.Stretch;
import dev.gitopsinterlock.testing.client.Browser;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Draws the chart's dashboard with what a Prometheus has, into target/dashboard.html, and as a picture if asked to. */
public final class DashboardBuild {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final int POINTS = 120;

    private DashboardBuild() {}

    /**
     * Draws it.
     *
     * @param arguments the Prometheus as host:port, how much of the past as a duration of ISO 8601, and the picture, a PNG, if
     *     there is to be one
     */
    public static void main(String... arguments) throws IOException {
        var past = Duration.parse(arguments[1]).toSeconds();
        var now = Instant.now().getEpochSecond();
        var stretch = new Stretch(now - past, now, (int) Math.max(1, past / POINTS));
        var page = DashboardPage.of(
                Trees.json(ChartFiles.text("dashboards/gitops-interlock.json").getBytes(UTF_8)),
                stretch,
                expression -> answer(arguments[0], stretch, expression));
        var file = Project.directory().resolve("target/dashboard.html");
        Texts.write(file, page.html());
        System.out.printf("%s with data: %s%n", page.count(), file.toUri());
        if (arguments.length > 2) {
            try (var browser = Browser.start()) {
                browser.open(file.toUri().toString());
                Files.write(Path.of(arguments[2]), browser.picture());
            }
        }
    }

    private static JsonNode answer(String prometheus, Stretch stretch, String expression) {
        var url = URI.create("http://%s/api/v1/query_range?query=%s&start=%d&end=%d&step=%d"
                .formatted(
                        prometheus,
                        URLEncoder.encode(expression, UTF_8),
                        stretch.from(),
                        stretch.to(),
                        stretch.step()));
        try {
            var answer = Trees.json(HTTP.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofByteArray())
                    .body());
            if (!answer.path("status").asText().equals("success")) {
                throw new IllegalStateException(expression + ": " + answer);
            }
            return answer.at("/data/result");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
