package dev.gitopsinterlock.cli.cel;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether two values are equal for a rule.
 *
 * @param budget that comparisons spend
 */
record Equality(Budget budget) {

    private static final ScopedValue<Equality> NOW = ScopedValue.newInstance();

    /** Evaluates with this one. */
    <R, E extends Throwable> R evaluate(ScopedValue.CallableOp<R, E> rule) throws E {
        return ScopedValue.where(NOW, this).call(rule);
    }

    /** That of the rule that is evaluated. */
    static Equality now() {
        return NOW.get();
    }

    boolean areEqual(@Nullable Object left, @Nullable Object right) {
        budget.spend(1);
        return switch (left) {
            case Number number -> right instanceof Number other && areEqual(number, other);
            case UnorderedList list when right instanceof List<?> other -> haveSameItems(list, other);
            case List<?> list -> right instanceof List<?> other && haveSameOrder(list, other);
            case Map<?, ?> map -> right instanceof Map<?, ?> other && haveSameEntries(map, other);
            case Optional<?> optional ->
                right instanceof Optional<?> other
                        && optional.isPresent() == other.isPresent()
                        && (optional.isEmpty() || areEqual(optional.get(), other.get()));
            case null -> right == null;
            default -> left.equals(right);
        };
    }

    boolean isIn(Object value, Object container) {
        return switch (container) {
            case Collection<?> list -> list.stream().anyMatch(item -> areEqual(item, value));
            case Map<?, ?> map -> map.containsKey(value);
            default -> throw new IllegalArgumentException("neither a list nor a map");
        };
    }

    private static boolean areEqual(Number left, Number right) {
        if (isInteger(left) && isInteger(right)) {
            return new BigDecimal(left.toString()).compareTo(new BigDecimal(right.toString())) == 0;
        }
        return left.doubleValue() == right.doubleValue();
    }

    private static boolean isInteger(Number number) {
        return !(number instanceof Double || number instanceof Float);
    }

    private boolean haveSameOrder(List<?> left, List<?> right) {
        if (left.size() != right.size()) {
            return false;
        }
        var other = right.iterator();
        return left.stream().allMatch(item -> areEqual(item, other.next()));
    }

    private boolean haveSameItems(UnorderedList left, List<?> right) {
        if (left.size() != right.size()) {
            return false;
        }
        var byKey = new HashMap<Object, Object>();
        left.forEach(item -> byKey.put(left.key(item), item));
        return right.stream().allMatch(item -> {
            var key = left.key(item);
            return byKey.containsKey(key) && areEqual(byKey.get(key), item);
        });
    }

    private boolean haveSameEntries(Map<?, ?> left, Map<?, ?> right) {
        return left.size() == right.size()
                && left.entrySet().stream()
                        .allMatch(entry -> right.containsKey(entry.getKey())
                                && areEqual(entry.getValue(), right.get(entry.getKey())));
    }
}
