package dev.gitopsinterlock.immutability;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** The minor versions of Kubernetes whose API servers the tables of fields are held against. */
public enum KubernetesVersion {
    V1_34,
    V1_35,
    V1_36,
    V1_37;

    private static final Pattern WRITTEN = Pattern.compile("v?(\\d+\\.\\d+)(\\D.*)?");

    /** As people or a server write it ({@code 1.35}, {@code v1.35.4+k3s1}); empty for one that is not known here. */
    public static Optional<KubernetesVersion> of(String text) {
        var written = WRITTEN.matcher(text.strip());
        return written.matches()
                ? Arrays.stream(values())
                        .filter(version -> version.label().equals(written.group(1)))
                        .findFirst()
                : Optional.empty();
    }

    /** What {@code /version} says: 37 of 1.37. Some providers write a plus sign behind it; empty where it says nothing. */
    public static OptionalInt minor(JsonNode version) {
        var digits = version.path("minor").asText().replaceFirst("\\D.*", "");
        return digits.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(digits));
    }

    public static Set<KubernetesVersion> all() {
        return Set.of(values());
    }

    public Set<KubernetesVersion> andNewer() {
        return Arrays.stream(values()).filter(each -> each.compareTo(this) >= 0).collect(toUnmodifiableSet());
    }

    /** The minor version as text: {@code 1.35}. */
    public String label() {
        return name().substring(1).replace('_', '.');
    }
}
