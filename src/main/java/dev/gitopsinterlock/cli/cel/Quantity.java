package dev.gitopsinterlock.cli.cel;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** An amount such as {@code 1.5Gi}, as Kubernetes reads it. */
final class Quantity implements Comparable<Quantity> {

    private static final String SUFFIX = "([KMGTPE]i|[eE][+-]?\\d++|[numkMGTPE])?+";
    private static final Pattern TEXT = Pattern.compile("([+-]?)(\\d*+(?:\\.\\d*+)?+)" + SUFFIX);

    /** Without a digit, which Kubernetes reads in odd ways, or so large that it takes all memory. */
    private static final Pattern ODD = Pattern.compile("[+-]?\\.?" + SUFFIX + "|.*[eE][+-]?\\d{4,}+");

    private static final Map<String, Integer> POWERS = Map.ofEntries(
            Map.entry("n", -9),
            Map.entry("u", -6),
            Map.entry("m", -3),
            Map.entry("k", 3),
            Map.entry("M", 6),
            Map.entry("G", 9),
            Map.entry("T", 12),
            Map.entry("P", 15),
            Map.entry("E", 18));

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final int NANO = 9;

    private final BigDecimal amount;
    private final boolean isSum;

    private Quantity(BigDecimal amount, boolean isSum) {
        this.amount = amount;
        this.isSum = isSum;
    }

    static Optional<Quantity> of(String text) {
        var parts = TEXT.matcher(text);
        if (!text.isEmpty() && ODD.matcher(text).matches()) {
            throw new IllegalArgumentException("odd");
        }
        if (text.isEmpty() || !parts.matches()) {
            return Optional.empty();
        }
        var suffix = parts.group(3) == null ? "" : parts.group(3);
        var number = new BigDecimal(parts.group(2));
        var isBinary = suffix.endsWith("i");
        if (isBinary) {
            number = number.multiply(BigDecimal.valueOf(1024).pow("KMGTPE".indexOf(suffix.charAt(0)) + 1));
        } else if (suffix.length() > 1) {
            number = number.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
        } else {
            number = number.scaleByPowerOfTen(POWERS.getOrDefault(suffix, 0));
        }
        if (number.scale() > NANO) {
            number = number.setScale(NANO, RoundingMode.UP);
        }
        number = isBinary ? number.min(MAX) : number;
        return Optional.of(new Quantity(parts.group(1).equals("-") ? number.negate() : number, false));
    }

    Quantity add(Object other) {
        return new Quantity(amount.add(amountOf(other)), true);
    }

    Quantity subtract(Object other) {
        return new Quantity(amount.subtract(amountOf(other)), true);
    }

    private static BigDecimal amountOf(Object other) {
        return other instanceof Quantity quantity ? quantity.amount : BigDecimal.valueOf((Long) other);
    }

    long sign() {
        return amount.signum();
    }

    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }

    /** To a sum nothing is: Kubernetes cannot compare with one by {@code ==}. */
    @Override
    public boolean equals(Object other) {
        if (other instanceof Quantity quantity && quantity.isSum) {
            throw new IllegalArgumentException("a sum on the right side");
        }
        return other instanceof Quantity quantity && compareTo(quantity) == 0;
    }

    @Override
    public int hashCode() {
        return amount.stripTrailingZeros().hashCode();
    }
}
