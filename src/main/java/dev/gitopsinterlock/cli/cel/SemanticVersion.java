package dev.gitopsinterlock.cli.cel;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A version such as {@code 1.2.3-rc.1}.
 *
 * @param prerelease its parts
 */
record SemanticVersion(long major, long minor, long patch, List<String> prerelease)
        implements Comparable<SemanticVersion> {

    private static final String NUMBER = "(0|[1-9]\\d*)";
    private static final String PART = "(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)";
    private static final Pattern TEXT =
            Pattern.compile("%1$s\\.%1$s\\.%1$s(?:-(%2$s(?:\\.%2$s)*))?(?:\\+%3$s(?:\\.%3$s)*)?"
                    .formatted(NUMBER, PART, "[0-9A-Za-z-]+"));
    private static final Pattern ZEROS = Pattern.compile("^0+(?=\\d)");
    private static final Pattern DIGITS = Pattern.compile("\\d+");

    /** Numbers come before words. */
    private static final Comparator<String> PARTS = (left, right) -> {
        var isNumber = DIGITS.matcher(left).matches();
        return isNumber != DIGITS.matcher(right).matches()
                ? (isNumber ? -1 : 1)
                : isNumber
                        ? Long.compare(Long.parseLong(left), Long.parseLong(right))
                        : Integer.signum(left.compareTo(right));
    };

    private static final Comparator<SemanticVersion> ORDER = Comparator.comparingLong(SemanticVersion::major)
            .thenComparingLong(SemanticVersion::minor)
            .thenComparingLong(SemanticVersion::patch)
            .thenComparing(version -> version.prerelease().isEmpty())
            .thenComparing(SemanticVersion::prerelease, SemanticVersion::compare);

    static Optional<SemanticVersion> of(String text) {
        var parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(new SemanticVersion(
                        Long.parseLong(parts.group(1)),
                        Long.parseLong(parts.group(2)),
                        Long.parseLong(parts.group(3)),
                        parts.group(4) == null
                                ? List.of()
                                : List.of(parts.group(4).split("\\.", -1))))
                : Optional.empty();
    }

    /** Also of {@code v1}, {@code 1.2} and {@code 01.02.03}. */
    static Optional<SemanticVersion> normalized(String text) {
        var parts = text.replaceFirst("^v", "").split("\\.", 3);
        return of(Stream.of(parts)
                        .map(part -> ZEROS.matcher(part).replaceFirst(""))
                        .collect(Collectors.joining("."))
                + ".0".repeat(3 - parts.length));
    }

    private static int compare(List<String> left, List<String> right) {
        for (var i = 0; i < Math.min(left.size(), right.size()); i++) {
            var order = PARTS.compare(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    @Override
    public int compareTo(SemanticVersion other) {
        return ORDER.compare(this, other);
    }
}
