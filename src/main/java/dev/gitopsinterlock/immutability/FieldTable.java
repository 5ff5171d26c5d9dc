package dev.gitopsinterlock.immutability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The fields of one kind that its API server does not change: the one place that knows. Their order, what tells
 * one edit from another, and what is told of them come from here.
 *
 * @param <E> when a field may change after all
 */
public final class FieldTable<E> {

    private final List<Row<E>> fields;
    private final List<Row<E>> rows;

    /**
     * Says all of it.
     *
     * @param fields in the order of the API reference, a Job's directly in its spec; the others may change
     * @param exceptions fields below those, with exemptions of their own
     */
    public FieldTable(List<Row<E>> fields, List<Row<E>> exceptions) {
        this.fields = List.copyOf(fields);
        this.rows = Stream.concat(fields.stream(), exceptions.stream()).toList();
    }

    /**
     * Fields with their exemption.
     *
     * @param fields and everything below them
     */
    public record Row<E>(PathPattern fields, E exemption) {}

    /** All of them: the fields in the order of the API reference, then the exceptions below them. */
    public List<Row<E>> rows() {
        return rows;
    }

    /** The last names of those, in the same order. */
    public List<String> names() {
        return fields.stream().map(row -> row.fields().names().getLast()).toList();
    }

    /** The fields that are no exceptions of others, in the order of the API reference. */
    public List<PathPattern> fields() {
        return fields.stream().map(Row::fields).toList();
    }

    /** By the fields' order; within a field that of the objects themselves. */
    public Comparator<Difference> inApiOrder() {
        return Comparator.comparingInt(difference -> position(difference.path()));
    }

    private int position(FieldPath path) {
        return (int) rows.stream().takeWhile(row -> !row.fields().covers(path)).count();
    }

    /**
     * What becomes of a difference: the mildest of what the rows say that cover it; accepted where none does.
     *
     * @param says what a row says of it
     */
    public Mutability mutability(Difference difference, Function<Row<E>, Mutability> says) {
        return covering(difference.path())
                .map(says)
                .min(Comparator.naturalOrder())
                .orElse(Mutability.ACCEPTED);
    }

    /** The exemptions of every row that covers a field: each of them holds. None for a field that may change. */
    public List<E> exemptions(FieldPath path) {
        return covering(path).map(Row::exemption).toList();
    }

    private Stream<Row<E>> covering(FieldPath path) {
        return rows.stream().filter(row -> row.fields().covers(path));
    }

    /** What of a spec cannot be changed in place; the values are the spec's own. */
    public ObjectNode immutablePart(JsonNode spec) {
        var part = JsonNodeFactory.instance.objectNode();
        for (var name : names()) {
            if (spec.has(name)) {
                part.set(name, spec.path(name));
            }
        }
        return part;
    }
}
