package dev.gitopsinterlock.cli.yaml;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What a field {@code kind} says anywhere in a text, however YAML may write it. Nothing else knows how that is.
 *
 * @param names a template's action is <code>{{</code>
 * @param areAll false where only a parser could know, and the text is no YAML
 */
public record NamedKinds(Set<String> names, boolean areAll) {

    private static final String LINE_ENDS = "\\u0085\\u2028\\u2029";

    private static final String FIELD = "\\bkind\\b[\"']?\\s*+:";

    /** No field below one of this name. */
    private static final Pattern PLAIN =
            Pattern.compile(FIELD + "(?![ \\t\\r]*+\\n\\s*+[\\w-]++:)\\s*+[\"']?([\\w-]++|\\{\\{)");

    /**
     * What only the parser knows: a key behind a question mark, an alias as a key, the key {@code kind} with an escape in it;
     * and where it is plain a value behind a comment, an anchor, a tag or the end of a line, an alias, a block, an escape.
     */
    private static final Pattern ODD = Pattern.compile(
            "(?:^[ \\t-]*+|[\\[{,]\\s*+)\\?(?=[\\s" + LINE_ENDS + "])|\\*[^\\s*,\\[\\]{}:]++[ \\t]*+:"
                    + "|\"k?i?n?\\\\[xuU]0*+6|" + FIELD + "\\s*+(?:[#&*!|>" + LINE_ENDS + "]|\"[^\"\\\\]{0,100}+\\\\)",
            Pattern.MULTILINE);

    /**
     * All but {@code apiVersion} with one of Kubernetes' own groups, whose names have no dot, or are those of k8s.io/api,
     * apiextensions-apiserver and kube-aggregator 1.37.
     */
    private static final Pattern CUSTOM = Pattern.compile(
            "\\bapiVersion\\b(?![\"']?\\s*+:\\s*+[\"']?(?:(?:admission|admissionregistration|apidiscovery"
                    + "|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery"
                    + "|events|flowcontrol\\.apiserver|imagepolicy|internal\\.apiserver|lifecycle|networking|node"
                    + "|rbac\\.authorization|resource|scheduling|storage|storagemigration)\\.k8s\\.io/|[\\w-]++/)?+\\w++[\"']?(?:[\\s,}\\]]|$))");

    public NamedKinds {
        names = Set.copyOf(names);
    }

    /** Those of a text. */
    public static NamedKinds in(String text) {
        var names = PLAIN.matcher(text).results().map(kind -> kind.group(1)).collect(toCollection(TreeSet::new));
        if (!ODD.matcher(text).find()) {
            return new NamedKinds(names, true);
        }
        try {
            for (var document : new YamlFile("", text, new AtomicReference<>()).documents()) {
                names.addAll(document.trees().findValuesAsText("kind"));
            }
            names.remove("");
            return new NamedKinds(names, true);
        } catch (MalformedYaml e) {
            return new NamedKinds(names, false);
        }
    }

    /** Those of the documents that may have custom resources. */
    public static Set<String> ofCustomResources(String text) {
        return new YamlFile("", text, new AtomicReference<>())
                .documents().stream()
                        .map(YamlDocument::text)
                        .filter(document -> CUSTOM.matcher(document).find())
                        .flatMap(document -> in(document).names().stream())
                        .collect(toUnmodifiableSet());
    }

    /** Whether there may be one of these. */
    public boolean mayHave(Predicate<String> kinds) {
        return !areAll || names.stream().anyMatch(kinds);
    }
}
