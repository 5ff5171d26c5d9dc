package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairsTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void soDoThoseOfTheTable(boolean namespaced) {
        var rows = ArgoCdRow.pairs().stream()
                .filter(row -> row.sample().kind().namespaced() == namespaced)
                .map(ArgoCdRow::cells)
                .toList();
        int columns = rows.getFirst().size();
        for (int one = 0; one < columns; one++) {
            for (int other = one + 1; other < columns; other++) {
                int first = one;
                int second = other;
                assertThat(rows.stream()
                                .map(row -> List.of(row.get(first), row.get(second)))
                                .distinct())
                        .hasSize((int) (rows.stream()
                                        .map(row -> row.get(first))
                                        .distinct()
                                        .count()
                                * rows.stream()
                                        .map(row -> row.get(second))
                                        .distinct()
                                        .count()));
            }
        }
    }

    @Test
    void anyTwoValuesMeet() {
        int[] sizes = {18, 3, 5, 2, 2, 5};

        var rows = Pairs.covering(sizes);

        assertThat(rows).hasSizeBetween(18 * 5, 18 * 5 + 15).doesNotHaveDuplicates();
        for (int one = 0; one < sizes.length; one++) {
            for (int other = one + 1; other < sizes.length; other++) {
                int first = one;
                int second = other;
                assertThat(rows.stream()
                                .map(row -> row.get(first) + " " + row.get(second))
                                .distinct())
                        .hasSize(sizes[one] * sizes[other]);
            }
        }
    }
}
