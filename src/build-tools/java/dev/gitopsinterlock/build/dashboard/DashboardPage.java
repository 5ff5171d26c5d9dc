package dev.gitopsinterlock.build.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The panels of a Grafana dashboard as one page that needs no network: rows, numbers and time series, by the plotting library
 * that Grafana itself uses. For a look without a Grafana; what people click on there is missing.
 *
 * @param panels what the page draws, each with its place and its series
 */
record DashboardPage(String title, ArrayNode panels) {

    private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");
    private static final String LIBRARY = "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot";

    /**
     * The stretch of time that is shown, in seconds since 1970.
     *
     * @param step between two points of a series
     */
    record Stretch(long from, long to, int step) {

        private String filledIn(String expression) {
            return expression
                    .replace("$__rate_interval", 12 * step + "s")
                    .replace("$__range", to - from + "s")
                    .replaceAll("\\$(cluster|namespace)", ".*");
        }
    }

    /** With what Prometheus answers to each range query about the stretch: the array of its series. */
    static DashboardPage of(JsonNode dashboard, Stretch stretch, Function<String, JsonNode> prometheus) {
        var panels = Trees.JSON.createArrayNode();
        for (var panel : dashboard.path("panels")) {
            var drawn = panels.addObject();
            drawn.put("type", panel.path("type").asText())
                    .put("title", panel.path("title").asText())
                    .put("unit", panel.at("/fieldConfig/defaults/unit").asText())
                    .put("from", stretch.from())
                    .put("to", stretch.to())
                    .setAll((ObjectNode) panel.path("gridPos"));
            var series = drawn.putArray("series");
            for (var target : panel.path("targets")) {
                var answer =
                        prometheus.apply(stretch.filledIn(target.path("expr").asText()));
                answer.forEach(one -> series.add(series(target, one)));
            }
        }
        return new DashboardPage(dashboard.path("title").asText(), panels);
    }

    private static ObjectNode series(JsonNode target, JsonNode answer) {
        var name = LABEL.matcher(target.path("legendFormat").asText())
                .replaceAll(label -> answer.path("metric").path(label.group(1)).asText())
                .strip();
        var series = Trees.JSON.createObjectNode().put("name", name);
        var points = series.putArray("points");
        for (var value : answer.path("values")) {
            var number = value.path(1).asDouble();
            if (Double.isFinite(number)) {
                points.addArray().add(value.path(0).asLong()).add(number);
            }
        }
        return series;
    }

    /** How many panels have something to draw, of how many that can. */
    String count() {
        var drawable = panels.valueStream()
                .filter(panel -> !panel.path("type").asText().equals("row"))
                .toList();
        return "%d of %d panels"
                .formatted(
                        drawable.stream()
                                .filter(panel -> !panel.path("series").isEmpty())
                                .count(),
                        drawable.size());
    }

    String html() {
        return Texts.read(Project.directory().resolve("src/build-tools/dashboard/page.html"))
                .replace("TITLE", title)
                .replace("UPLOT_CSS", library(".min.css"))
                .replace("UPLOT_JS", library(".iife.min.js"))
                .replace("PANELS", panels.toString().replace("<", "\\u003c"));
    }

    private static String library(String ending) {
        try (var file = DashboardPage.class.getResourceAsStream(LIBRARY + ending)) {
            if (file == null) {
                throw new IllegalStateException("no " + LIBRARY + ending + " on the class path");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
