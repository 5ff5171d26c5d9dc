package dev.gitopsinterlock.edit;

import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import java.util.List;

/**
 * What becomes of an edit's differences at the API server; the others pass.
 *
 * @param refused by every supported one, in the order of the API reference
 * @param unsure it depends on version or gates; in the same order
 */
public record Classification(List<Difference> refused, List<Difference> unsure) {

    public Classification {
        refused = List.copyOf(refused);
        unsure = List.copyOf(unsure);
    }

    /** The fields, each once. */
    public static List<FieldPath> fields(List<Difference> differences) {
        return differences.stream().map(Difference::path).distinct().toList();
    }
}
