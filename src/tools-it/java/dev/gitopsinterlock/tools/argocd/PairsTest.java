package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PairsTest {

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
