package dev.gitopsinterlock.system.atlas;

import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.FieldTable.Row;
import dev.gitopsinterlock.immutability.Mutability;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where a difference falls: a row of a table, and one of its cases.
 *
 * @param field the row's pattern
 */
public record Place(String field, Condition when) {

    /** Of the rows that cover a field the one that decides: the most permissive; of several such the nearest. */
    public static <E> Optional<Row<E>> deciding(
            FieldTable<E> table, FieldPath path, Function<E, Mutability> mutability) {
        return table.rows().stream()
                .filter(row -> row.fields().covers(path))
                .min(Comparator.comparing((Row<E> row) -> mutability.apply(row.exemption()))
                        .thenComparingInt(row -> -row.fields().names().size()));
    }
}
