package dev.gitopsinterlock.build.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.chart.ChartFiles;
import dev.gitopsinterlock.build.dashboard.DashboardPage.Stretch;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.client.Browser;
import dev.gitopsinterlock.testing.text.Texts;
import dev.gitopsinterlock.testing.text.Trees;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart's dashboard in a real browser, with figures that are made up. */
@RequiresTools("chromium")
class DashboardPageToolsIT {

    private static final Stretch STRETCH = new Stretch(1_000, 1_600, 5);

    @Test
    void everyPanelIsDrawn(@TempDir Path folder) {
        var page = DashboardPage.of(
                Trees.json(ChartFiles.text("dashboards/gitops-interlock.json").getBytes(UTF_8)),
                STRETCH,
                DashboardPageToolsIT::answer);
        var file = folder.resolve("page.html");
        Texts.write(file, page.html());

        try (var browser = Browser.start()) {
            browser.open(file.toUri().toString());

            assertThat(browser.complaints()).isEmpty();
            var count = browser.value("document.querySelectorAll('canvas, .number, .nothing').length")
                    .asInt();
            assertThat(count)
                    .isEqualTo(browser.value("document.querySelectorAll('section').length")
                            .asInt())
                    .isGreaterThan(20);
            assertThat(browser.value("document.querySelectorAll('.nothing').length")
                            .asInt())
                    .isEqualTo(1);
            assertThat(page.count()).isEqualTo("%d of %d panels".formatted(count - 1, count));
            assertThat(browser.value("document.querySelector('li').textContent").asText())
                    .isEqualTo("<b>&demo of name, let through");
            assertThat(browser.requests()).allSatisfy(url -> assertThat(url).startsWith("file:"));
        }
    }

    /** Two series each, one of which has a gap; of gaps alone nothing. */
    private static JsonNode answer(String expression) {
        assertThat(expression).doesNotContain("$");
        return Trees.fromYaml(expression.contains("hold_age") ? "{series: []}" : """
                series:
                  - metric: {cluster: "<b>&demo", name: of name, pod: one}
                    values: [[1000, "0"], [1100, "1.5"], [1200, "NaN"], [1600, "1e3"]]
                  - metric: {cluster: other}
                    values: [[1100, "86400"]]
                """)
                .path("series");
    }
}
