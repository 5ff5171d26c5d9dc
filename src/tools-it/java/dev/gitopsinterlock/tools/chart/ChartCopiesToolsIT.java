package dev.gitopsinterlock.tools.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.tools.chart.ChartCopies.Copy;
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
        GoldenFiles.compare(copy.file(), copy.text(), "make chart GOLDEN=true");
    }
}
