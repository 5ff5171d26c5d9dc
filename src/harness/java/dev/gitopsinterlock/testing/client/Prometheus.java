package dev.gitopsinterlock.testing.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.run.Ports;
import dev.gitopsinterlock.testing.text.Texts;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Prometheus that reads targets once a second and evaluates rules as often. */
public final class Prometheus implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Programs programs;
    private final String url;

    private Prometheus(Programs programs, String url) {
        this.programs = programs;
        this.url = url;
    }

    /** Who is read. */
    public sealed interface Target {

        /** Put on everything that is read there. */
        Map<String, String> labels();

        /**
         * By HTTP.
         *
         * @param address host and port
         */
        record Plain(String address, String path, Map<String, String> labels) implements Target {}

        /**
         * An API server.
         *
         * @param url with its scheme
         * @param ca that its certificate is from
         * @param token of an account that may read its metrics
         * @param metrics a regular expression for the names that are kept
         */
        record ApiServer(String url, Path ca, String token, String metrics, Map<String, String> labels)
                implements Target {}
    }

    /** Starts it and waits until it has read every target. */
    public static Prometheus start(String rules, Target... targets) {
        try {
            var programs = new Programs("prometheus", List.of());
            var home = programs.home();
            Texts.write(home.resolve("rules.yaml"), rules);
            Texts.write(
                    home.resolve("prometheus.yaml"),
                    """
                            global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
                            rule_files: [rules.yaml]
                            scrape_configs:
                            """
                            + IntStream.range(0, targets.length)
                                    .mapToObj(number -> scraping(number, targets[number]))
                                    .collect(Collectors.joining()));
            var address = "127.0.0.1:" + Ports.free();
            programs.startHealthy(
                    "prometheus",
                    "http://" + address + "/-/ready",
                    Path.of(Tool.program("prometheus")),
                    "--config.file=" + home.resolve("prometheus.yaml"),
                    "--storage.tsdb.path=" + home.resolve("data"),
                    "--web.listen-address=" + address,
                    "--log.level=warn");
            var prometheus = new Prometheus(programs, "http://" + address);
            await("all targets are read")
                    .atMost(Patience.LIMIT)
                    .until(() -> prometheus.query("sum(up)").equals(List.of((double) targets.length)));
            return prometheus;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String scraping(int number, Target target) {
        var what = switch (target) {
            case Target.Plain(var address, var path, var _) ->
                """
                      metrics_path: "%s"
                      static_configs: [{targets: ["%s"], labels: %s}]
                    """.formatted(path, address, Trees.JSON.valueToTree(target.labels()));
            case Target.ApiServer(var url, var ca, var token, var metrics, var _) ->
                """
                      scheme: https
                      authorization: {credentials: "%s"}
                      tls_config: {ca_file: "%s"}
                      static_configs: [{targets: ["%s"], labels: %s}]
                      metric_relabel_configs: [{source_labels: [__name__], regex: "%s", action: keep}]
                    """.formatted(
                        token, ca, URI.create(url).getAuthority(), Trees.JSON.valueToTree(target.labels()), metrics);
        };
        return "  - job_name: target-" + number + "\n" + what.indent(2);
    }

    /** The labels of the alerts of this name that fire now. */
    public List<Map<String, String>> firing(String alert) {
        return get("/api/v1/alerts")
                .at("/data/alerts")
                .valueStream()
                .filter(active -> active.path("state").asText().equals("firing"))
                .map(active -> labels(active.path("labels")))
                .filter(labels -> alert.equals(labels.get("alertname")))
                .toList();
    }

    /** Waits until one with these labels, as {@code name=value}, fires, and tells all of its labels. */
    public Map<String, String> awaitFiring(String alert, String... labels) {
        return await(alert + " fires")
                .atMost(Patience.LIMIT)
                .until(
                        () -> firing(alert).stream()
                                .filter(found -> has(found, labels))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until none with these labels does. */
    public void awaitOver(String alert, String... labels) {
        await(alert + " is over")
                .atMost(Patience.LIMIT)
                .until(() -> firing(alert).stream().noneMatch(found -> has(found, labels)));
    }

    /** The values of an expression now. */
    public List<Double> query(String expression) {
        return get("/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8))
                .at("/data/result")
                .valueStream()
                .map(sample -> sample.at("/value/1").asDouble())
                .toList();
    }

    private static boolean has(Map<String, String> all, String... labels) {
        return List.of(labels).stream().allMatch(label -> {
            var parts = label.split("=", 2);
            return parts[1].equals(all.get(parts[0]));
        });
    }

    private static Map<String, String> labels(JsonNode tree) {
        var labels = new TreeMap<String, String>();
        tree.properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        return labels;
    }

    private JsonNode get(String path) {
        try {
            var request = HttpRequest.newBuilder(URI.create(url + path))
                    .timeout(Duration.ofSeconds(30))
                    .build();
            var answer = HTTP.send(request, BodyHandlers.ofByteArray());
            var tree = Trees.json(answer.body());
            if (answer.statusCode() != 200) {
                throw new AssertionError(path + ": " + tree);
            }
            return tree;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        programs.close();
    }
}
