package dev.gitopsinterlock.doctor;

import java.util.List;
import java.util.Optional;

/**
 * The serving certificate, as far as it can be seen.
 *
 * @param source where it was seen, for people
 * @param obstacle why its certificate is not known; empty where it is
 * @param names that it is for; empty where only its end is known
 * @param validity of the leaf
 */
public record Served(String source, String obstacle, List<String> names, Optional<Validity> validity) {

    public Served {
        names = List.copyOf(names);
    }

    boolean isFor(String host) {
        var parent = host.substring(host.indexOf('.') + 1);
        return names.contains(host) || names.contains("*." + parent);
    }
}
