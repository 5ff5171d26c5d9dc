package dev.gitopsinterlock.cli.yaml;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.crd.Definition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/**
 * Reads definitions of custom resources out of a file: those that have transition rules, or that are of kinds that are known to
 * have some. Nothing else in it costs anything.
 */
public final class DefinitionText {

    /** In every transition rule. */
    private static final String RULE = "oldSelf";

    /** The same with escapes of YAML or JSON, of its letters and of the ends of lines. */
    private static final Pattern ESCAPED_RULE = Pattern.compile(RULE.chars()
            .mapToObj("(?:%1$c|\\\\(?:x|u00|U000000)(?i:%1$x))"::formatted)
            .collect(joining("(?:\\\\\\r?\\n[ \\t]*+)?")));

    /** Of all of them. */
    public static final String KIND = "CustomResourceDefinition";

    private DefinitionText() {}

    /** Whether a text with such kinds may hold one. */
    public static boolean mayBeIn(String text, NamedKinds named) {
        return hasRule(text) && named.mayHave(DefinitionText::isOfDefinitions);
    }

    /**
     * All of them, in their order.
     *
     * @param file for messages
     * @param known reads objects of the kinds that are known
     */
    public static List<Definition> in(String file, String text, Manifests known) throws MalformedYaml {
        var found = new ArrayList<Definition>();
        for (var document : new YamlFile(file, text, new AtomicReference<>()).documents()) {
            var named = NamedKinds.in(document.text());
            if (named.mayHave(DefinitionText::isOfDefinitions)
                    && (hasRule(document.text()) || known.mayBeAmong(named))) {
                document.trees()
                        .valueStream()
                        .flatMap(Manifests::items)
                        .map(Definition::of)
                        .forEach(each -> each.ifPresent(found::add));
            }
        }
        return List.copyOf(found);
    }

    private static boolean isOfDefinitions(String kind) {
        return kind.equals(KIND) || kind.equals(KIND + "List");
    }

    private static boolean hasRule(String text) {
        return text.contains(RULE)
                || (text.indexOf('\\') >= 0 && ESCAPED_RULE.matcher(text).find());
    }
}
