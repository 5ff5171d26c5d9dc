package dev.gitopsinterlock.cli.input;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Tells which files of a tree, of those that are no manifests, something is rendered from: templates of other languages, what is
 * in a chart, and what a kustomization names. Looks at each folder once.
 */
final class Ingredients {

    private static final Pattern TEMPLATE = Pattern.compile(
            "(?i).*\\.(?:jsonnet|libsonnet|cue)|.*\\.(?:ya?ml|json)\\.(?:go|gotmpl|tmpl|tpl|j2|jinja2?|erb|ejs|hbs|mustache)");

    /** What a chart may have, and puts into no manifest. */
    private static final Pattern TEXT_FOR_PEOPLE = Pattern.compile(
            "(?i)(?:readme|license|notice|changelog|notes|owners|codeowners|makefile)(?:\\..*)?|.*\\.(?:md|png|svg|jpe?g|gif|snap|prov)|\\..*");

    /** Of a repository that is a chart, what is likely to be rendered: the rest is the program that it installs. */
    private static final Pattern IN_CHART =
            Pattern.compile("(?:templates|charts|crds|files|config|dashboards)/.*|values\\.schema\\.json|Chart\\.lock");

    private final Function<String, Optional<String>> texts;
    private final Map<String, Boolean> charts = new HashMap<>();
    private final Map<String, String> kustomizations = new HashMap<>();

    /** Of a tree with these files, whose text is asked for by their path. */
    Ingredients(Function<String, Optional<String>> texts) {
        this.texts = texts;
    }

    boolean has(String path) {
        var name = path.substring(path.lastIndexOf('/') + 1);
        if (TEMPLATE.matcher(name).matches() || RenderedFolder.KUSTOMIZATIONS.contains(name)) {
            return true;
        }
        var isForPeople = TEXT_FOR_PEOPLE.matcher(name).matches();
        return ends(path)
                .mapToObj(end -> path.substring(0, end))
                .anyMatch(folder -> (!isForPeople
                                && isChart(folder)
                                && (!folder.isEmpty() || IN_CHART.matcher(path).matches()))
                        || names(kustomization(folder), path.substring(folder.length())));
    }

    /** Of the paths of folders around it: the root, and behind each slash. */
    private static IntStream ends(String path) {
        return IntStream.rangeClosed(0, path.length()).filter(end -> end == 0 || path.charAt(end - 1) == '/');
    }

    private static boolean names(String kustomization, String file) {
        return kustomization.contains(file)
                && Pattern.compile("(?<![\\w./-])(?:\\./)?" + Pattern.quote(file) + "(?![\\w./-])")
                        .matcher(kustomization)
                        .find();
    }

    private boolean isChart(String folder) {
        return charts.computeIfAbsent(
                folder, each -> texts.apply(each + RenderedFolder.CHART).isPresent());
    }

    private String kustomization(String folder) {
        return kustomizations.computeIfAbsent(folder, each -> {
            var all = new StringBuilder();
            RenderedFolder.KUSTOMIZATIONS.forEach(
                    name -> texts.apply(each + name).ifPresent(all::append));
            return all.toString();
        });
    }
}
