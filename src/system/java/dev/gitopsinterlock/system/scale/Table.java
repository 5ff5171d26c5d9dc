package dev.gitopsinterlock.system.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Figures by size, in Markdown, with how much each grows when the size doubles: 1 not at all, 2 as the size does. */
final class Table {

    private final String size;
    private final List<String> columns;
    private final List<Row> rows = new ArrayList<>();

    private record Row(int size, List<Double> figures) {}

    /** Columns are named by what they count. */
    Table(String size, String... columns) {
        this.size = size;
        this.columns = List.of(columns);
    }

    void row(int of, double... figures) {
        rows.add(new Row(of, DoubleStream.of(figures).boxed().toList()));
    }

    @Override
    public String toString() {
        var lines = new ArrayList<String>();
        lines.add(line(size, columns.stream()));
        lines.add(line("--:", columns.stream().map(column -> "--:")));
        rows.forEach(row -> lines.add(line(
                String.format(Locale.ROOT, "%,d", row.size()),
                row.figures().stream().map(Table::shown))));
        if (rows.size() > 1) {
            lines.add(line(
                    "growth per doubling", IntStream.range(0, columns.size()).mapToObj(this::growth)));
        }
        return String.join("\n", lines) + "\n";
    }

    private String growth(int column) {
        var first = rows.getFirst();
        var last = rows.getLast();
        var from = first.figures().get(column);
        var to = last.figures().get(column);
        if (from <= 0 || to <= 0) {
            return "";
        }
        var doublings = Math.log((double) last.size() / first.size()) / Math.log(2);
        return String.format(Locale.ROOT, "%.2f", Math.pow(to / from, 1 / doublings));
    }

    private static String shown(double figure) {
        return figure == Math.rint(figure) || figure >= 100
                ? String.format(Locale.ROOT, "%,.0f", figure)
                : String.format(Locale.ROOT, figure >= 10 ? "%.1f" : "%.2f", figure);
    }

    private static String line(String first, Stream<String> rest) {
        return Stream.concat(Stream.of(first), rest).collect(Collectors.joining(" | ", "| ", " |"));
    }
}
