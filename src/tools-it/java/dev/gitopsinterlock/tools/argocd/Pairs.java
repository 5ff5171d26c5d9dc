package dev.gitopsinterlock.tools.argocd;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.stream.IntStream;

/**
 * Few rows in which any two values of any two dimensions meet at least once. The same rows for the same dimensions. A row
 * has the index of a value for each dimension.
 */
final class Pairs {

    private final int[] sizes;
    private final SequencedSet<Pair> open = new LinkedHashSet<>();

    /** That a dimension has a value while a later dimension has another. */
    private record Pair(int dimension, int value, int later, int other) {}

    private Pairs(int[] sizes) {
        this.sizes = sizes;
        for (int dimension = 0; dimension < sizes.length; dimension++) {
            for (int later = dimension + 1; later < sizes.length; later++) {
                for (int value = 0; value < sizes[dimension]; value++) {
                    for (int other = 0; other < sizes[later]; other++) {
                        open.add(new Pair(dimension, value, later, other));
                    }
                }
            }
        }
    }

    /** Rows for dimensions of these sizes. */
    static List<List<Integer>> covering(int... sizes) {
        var pairs = new Pairs(sizes.clone());
        var rows = new ArrayList<List<Integer>>();
        while (!pairs.open.isEmpty()) {
            rows.add(pairs.next(rows.size()));
        }
        return rows;
    }

    /** Begins with a pair that is missing, and takes for each other dimension the value with which most pairs are new. */
    private List<Integer> next(int turn) {
        var row =
                new ArrayList<Integer>(IntStream.of(sizes).mapToObj(size -> -1).toList());
        var first = open.getFirst();
        row.set(first.dimension(), first.value());
        row.set(first.later(), first.other());
        for (int dimension = 0; dimension < sizes.length; dimension++) {
            if (row.get(dimension) < 0) {
                row.set(dimension, best(row, dimension, turn));
            }
        }
        open.removeIf(pair -> row.get(pair.dimension()) == pair.value() && row.get(pair.later()) == pair.other());
        return List.copyOf(row);
    }

    /** Of equally good ones another one each turn. */
    private int best(List<Integer> row, int dimension, int turn) {
        int best = turn % sizes[dimension];
        for (int value = 0; value < sizes[dimension]; value++) {
            if (news(row, dimension, value) > news(row, dimension, best)) {
                best = value;
            }
        }
        return best;
    }

    private long news(List<Integer> row, int dimension, int value) {
        return IntStream.range(0, row.size())
                .filter(other -> other != dimension && row.get(other) >= 0)
                .mapToObj(other -> other < dimension
                        ? new Pair(other, row.get(other), dimension, value)
                        : new Pair(dimension, value, other, row.get(other)))
                .filter(open::contains)
                .count();
    }
}
