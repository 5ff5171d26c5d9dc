package dev.gitopsinterlock.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A value of a policy, as people write it. Exact spelling only, as everywhere in Kubernetes. */
public interface PolicyValue {

    String word();

    static <T extends PolicyValue> Optional<T> parse(T[] values, String word) {
        return Arrays.stream(values).filter(value -> value.word().equals(word)).findFirst();
    }

    /** Every word, in the order of the documentation. */
    static List<String> words(PolicyValue[] values) {
        return Arrays.stream(values).map(PolicyValue::word).toList();
    }
}
