package dev.gitopsinterlock.immutability;

import dev.gitopsinterlock.immutability.FieldPath.Step;
import java.util.List;

/**
 * A set of fields: {@code spec.template.spec.containers[*].resources} is that field of every container and everything
 * below it.
 */
public record PathPattern(List<String> names) {

    private static final String ANY = "*";

    public PathPattern {
        names = List.copyOf(names);
    }

    public static PathPattern parse(String text) {
        return new PathPattern(List.of(text.replace("[*]", "." + ANY).split("\\.", -1)));
    }

    /** The pattern as text. */
    public String text() {
        return String.join(".", names).replace("." + ANY, "[*]");
    }

    /** Whether the path is one of these fields or lies below one. */
    public boolean covers(FieldPath path) {
        return path.steps().size() >= names.size() && fits(path);
    }

    /** Whether the path is exactly one of these fields. */
    public boolean is(FieldPath path) {
        return path.steps().size() == names.size() && fits(path);
    }

    private boolean fits(FieldPath path) {
        for (int i = 0; i < names.size(); i++) {
            var step = path.steps().get(i);
            var fits = step instanceof Step.Field field
                    ? field.name().equals(names.get(i))
                    : names.get(i).equals(ANY);
            if (!fits) {
                return false;
            }
        }
        return true;
    }
}
