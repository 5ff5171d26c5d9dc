package dev.gitopsinterlock.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.chart.ChartCopies.Copy;
import dev.gitopsinterlock.testing.GoldenFiles;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files that are copied from the chart are up to date. {@code -Dgolden.update=true} writes them anew. */
class ChartCopiesToolsIT {

    static Stream<Copy> copies() {
        return ChartCopies.all();
    }

    @ParameterizedTest
    @MethodSource("copies")
    void isWhatTheChartRenders(Copy copy) {
        assertThat(copy.text()).contains("\nkind: ").doesNotContain("helm", "w0rd");
        GoldenFiles.compare(copy.file(), copy.text());
    }
}
