package dev.gitopsinterlock.doctor;

import java.util.Optional;
import java.util.regex.Pattern;

/** Which right the caller of the API server lacks, by its answer. */
public final class MissingRight {

    private static final Pattern RESOURCE =
            Pattern.compile("cannot (\\w+) resource \"([^\"]+)\" in API group \"([^\"]*)\""
                    + "(?: in the namespace \"([^\"]+)\"| at the cluster scope)?");
    private static final Pattern PATH = Pattern.compile("cannot (\\w+) path \"([^\"]+)\"");

    private MissingRight() {}

    /** The right that an answer says is missing: "you may not list secrets in shop"; empty where the answer says nothing of rights. */
    public static Optional<String> in(String words) {
        var resource = RESOURCE.matcher(words);
        if (resource.find()) {
            var group = resource.group(3).isEmpty() ? "" : "." + resource.group(3);
            var where = resource.group(4) == null ? "in the cluster" : "in " + resource.group(4);
            return Optional.of("you may not %s %s%s %s".formatted(resource.group(1), resource.group(2), group, where));
        }
        var path = PATH.matcher(words);
        return path.find()
                ? Optional.of("you may not %s %s".formatted(path.group(1), path.group(2)))
                : Optional.empty();
    }
}
