package dev.gitopsinterlock.tools.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.build.chart.ChartFiles;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The chart's README is what helm-docs makes of README.md.gotmpl and the comments in values.yaml. {@code
 * -Dgolden.update=true} writes it anew.
 */
@RequiresTools("helmdocs")
class ChartReadmeToolsIT {

    @Test
    void readmeIsMadeOfItsTemplateAndTheValues() {
        // not its strict mode, which knows only sentences that name their value: the template fails without a sentence
        var made = Command.run(
                        Map.of(),
                        List.of(
                                Tool.program("helmdocs"),
                                "--dry-run",
                                "--chart-search-root=" + ChartFiles.FOLDER,
                                "--sort-values-order=file",
                                "--log-level=warning"))
                .orFail();

        assertThat(made.err())
                .as("it ends with 0 even where it printed half of the README")
                .isEmpty();
        GoldenFiles.compare(ChartFiles.FOLDER.resolve("README.md"), made.out(), "make chart GOLDEN=true");
    }
}
