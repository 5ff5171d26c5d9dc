package dev.gitopsinterlock.system.atlas;

import java.util.Map;
import java.util.Optional;

/**
 * The edits of a kind that were sent to one version of Kubernetes.
 *
 * @param date of the run
 * @param numbers of all edits
 * @param fields by the row of the table and its case: the edits that show something about it, and about nothing else
 */
public record FieldRun(String date, long seed, Map<String, Integer> numbers, Map<String, Map<String, Counts>> fields) {

    public static final String EDITS = "edits";
    public static final String ACCEPTED = "accepted";
    public static final String REFUSED = "refused";
    public static final String AS_IMMUTABLE = "refused as immutable";
    public static final String IN_OUR_WORDS = "refused in our words";
    public static final String BY_US_ALONE = "refused by us alone";

    /** What the API server did with them. */
    public record Counts(int accepted, int ignored, int refused) {

        public static final Counts NONE = new Counts(0, 0, 0);

        public Counts plus(Counts other) {
            return new Counts(accepted + other.accepted, ignored + other.ignored, refused + other.refused);
        }
    }

    public int number(String name) {
        return numbers.getOrDefault(name, 0);
    }

    Optional<Counts> counts(String field, Condition when) {
        return Optional.ofNullable(fields.getOrDefault(field, Map.of()).get(when.word()));
    }
}
