package dev.gitopsinterlock.testing.service;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A moment of what a process counts, in Prometheus' format. */
public final class Metrics {

    private static final Pattern BOUND = Pattern.compile("[{,]le=\"([^\"]+)\"");

    private final Map<String, Double> values;

    private Metrics(Map<String, Double> values) {
        this.values = values;
    }

    public static Metrics of(String text) {
        return new Metrics(text.lines()
                .filter(line -> !line.startsWith("#") && line.contains(" "))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> number(line.substring(line.lastIndexOf(' ') + 1)),
                        Double::sum)));
    }

    /** What came after an earlier moment of the same process. */
    public Metrics since(Metrics before) {
        return new Metrics(values.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue() - before.values.getOrDefault(each.getKey(), 0.0))));
    }

    /** Of all series with this name and all of these labels, each as {@code name="value"}, or the beginning of that. */
    public double sum(String name, String... labels) {
        return values.entrySet().stream()
                .filter(each -> isOf(each.getKey(), name, labels))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    /** The mean of a histogram or summary; 0 without any. */
    public double mean(String name, String... labels) {
        var count = sum(name + "_count", labels);
        return count == 0 ? 0 : sum(name + "_sum", labels) / count;
    }

    /** A quantile of a histogram, taken as evenly spread within its bucket, as Prometheus does; 0 without any. */
    public double quantile(double share, String name, String... labels) {
        var buckets = new TreeMap<Double, Double>();
        values.forEach((series, value) -> {
            var bound = BOUND.matcher(series);
            if (isOf(series, name + "_bucket", labels) && bound.find()) {
                var le = number(bound.group(1));
                buckets.merge(le, value, Double::sum);
            }
        });
        var wanted = buckets.isEmpty() ? 0 : share * buckets.lastEntry().getValue();
        var lower = 0.0;
        var below = 0.0;
        for (var bucket : buckets.entrySet()) {
            if (bucket.getValue() >= wanted && bucket.getValue() > below) {
                return Double.isInfinite(bucket.getKey())
                        ? lower
                        : lower + (bucket.getKey() - lower) * (wanted - below) / (bucket.getValue() - below);
            }
            lower = bucket.getKey();
            below = bucket.getValue();
        }
        return 0;
    }

    private static double number(String text) {
        return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    }

    private static boolean isOf(String series, String name, String... labels) {
        return series.startsWith(name)
                && (series.length() == name.length() || series.charAt(name.length()) == '{')
                && Arrays.stream(labels).allMatch(series::contains);
    }
}
