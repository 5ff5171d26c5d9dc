package dev.gitopsinterlock.immutability;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The number behind a Kubernetes quantity such as {@code 1Gi}, {@code 100m} or {@code 1e3}, exact to the last digit,
 * because the API server compares it so. Source: apimachinery's resource.ParseQuantity.
 */
public final class Quantity {

    private static final Pattern QUANTITY = Pattern.compile(
            "([+-]?(?:\\d{1,40}\\.?\\d{0,40}|\\.\\d{1,40}))(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\\d{1,3}))?");

    private static final String BINARY = "KMGTPE";
    private static final String DECIMAL = "num kMGTPE";

    private Quantity() {}

    /** Whether a quantity is at least as large as another; not where one of them is none. */
    public static boolean isAtLeast(String text, String other) {
        return parse(text)
                .flatMap(quantity -> parse(other).map(least -> quantity.compareTo(least) >= 0))
                .orElse(false);
    }

    /** The value of a quantity; empty for a text that is none. */
    static Optional<BigDecimal> parse(String text) {
        var match = QUANTITY.matcher(text);
        if (!match.matches()) {
            return Optional.empty();
        }
        var number = new BigDecimal(match.group(1));
        var suffix = match.group(2);
        if (suffix == null) {
            return Optional.of(
                    match.group(3) == null ? number : number.scaleByPowerOfTen(Integer.parseInt(match.group(3))));
        }
        var letter = suffix.charAt(0);
        return Optional.of(
                suffix.endsWith("i")
                        ? number.multiply(BigDecimal.valueOf(1024).pow(BINARY.indexOf(letter) + 1))
                        : number.scaleByPowerOfTen(3 * (DECIMAL.indexOf(letter) - DECIMAL.indexOf(' '))));
    }
}
