package dev.gitopsinterlock.policy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A value of a policy, as people write it. Exact spelling only, as everywhere in Kubernetes. */
public interface PolicyValue {

    /** The constant's. */
    String name();

    /** As people write it: by default the constant's name, {@code GenerateName} for {@code GENERATE_NAME}. */
    default String configValue() {
        return Arrays.stream(name().split("_", -1))
                .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    static <T extends PolicyValue> Optional<T> parse(T[] values, String word) {
        return Arrays.stream(values)
                .filter(value -> value.configValue().equals(word))
                .findFirst();
    }

    /** Every word, in the order of the documentation. */
    static List<String> words(PolicyValue[] values) {
        return Arrays.stream(values).map(PolicyValue::configValue).toList();
    }
}
