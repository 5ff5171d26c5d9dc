package dev.gitopsinterlock.admission;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One thing that a line of the log tells: a name, path, number or word, never the value of a field.
 *
 * @param name stable, in camel case: people search for it
 */
public record Fact(String name, String value) {

    /** Facts as one line of text: {@code tool=helm object=shop/db-migrate}. */
    public static String line(List<Fact> facts) {
        return facts.stream().map(fact -> fact.name + "=" + fact.value).collect(Collectors.joining(" "));
    }
}
