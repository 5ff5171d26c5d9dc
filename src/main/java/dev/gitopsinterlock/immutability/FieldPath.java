package dev.gitopsinterlock.immutability;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where a field is, written as the API server writes it: {@code spec.template.spec.containers[0].image}.
 *
 * @param steps names of fields, indexes of lists and keys of maps, from the object's root
 */
public record FieldPath(List<Step> steps) {

    /** Long or odd keys are not printed: a path ends before them. Label and annotation keys all fit. */
    private static final Pattern PRINTABLE_KEY = Pattern.compile("[A-Za-z0-9._/-]{1,80}");

    private static final int MAX_TEXT = 160;

    public static final FieldPath ROOT = new FieldPath(List.of());

    public FieldPath {
        steps = List.copyOf(steps);
    }

    public static FieldPath of(String first, String... rest) {
        var path = ROOT.field(first);
        for (var name : rest) {
            path = path.field(name);
        }
        return path;
    }

    public FieldPath field(String name) {
        return then(new Step.Field(name));
    }

    public FieldPath index(int index) {
        return then(new Step.Index(index));
    }

    public FieldPath key(String key) {
        return then(new Step.Key(key));
    }

    private FieldPath then(Step step) {
        var longer = new ArrayList<>(steps);
        longer.add(step);
        return new FieldPath(longer);
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        for (var step : steps) {
            var next = step.text();
            if (!PRINTABLE_KEY.matcher(step.name()).matches()
                    || text.length() + next.length() > MAX_TEXT
                    || (next.startsWith("[") && text.toString().endsWith("map"))) { // Argo CD cuts a text at "map["
                break;
            }
            text.append(text.isEmpty() && step instanceof Step.Field field ? field.name() : next);
        }
        return text.toString();
    }

    /** One step down. */
    public sealed interface Step {

        /** What identifies the step: a name, a key or a number. */
        String name();

        String text();

        record Field(String name) implements Step {
            @Override
            public String text() {
                return "." + name;
            }
        }

        record Index(int index) implements Step {
            @Override
            public String name() {
                return Integer.toString(index);
            }

            @Override
            public String text() {
                return "[" + index + "]";
            }
        }

        record Key(String name) implements Step {
            @Override
            public String text() {
                return "[" + name + "]";
            }
        }
    }
}
