package dev.gitopsinterlock.cli.yaml;

import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.edit.Kinds;
import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.job.rule.JobKind;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A chart's template with one Job, as far as it is YAML: its actions are covered by other characters, and every place
 * stays where it is. What surrounds the annotations has to be plain, so that nobody has to understand the template.
 */
public final class ChartTemplate {

    private static final Manifests JOBS = new Manifests(new Kinds(List.of(JobKind.JOB)));

    private static final String ACTION = "\\{\\{(?:(?!\\}\\})[\\s\\S])*+\\}\\}";

    private static final Pattern ACTIONS = Pattern.compile(ACTION);

    /** Lines with nothing else: conditions, loops, and what is included. */
    private static final Pattern LINES_OF_ACTIONS =
            Pattern.compile("^[ \\t]*(?:" + ACTION + "[ \\t]*)+$", Pattern.MULTILINE);

    private static final Pattern VISIBLE = Pattern.compile("\\S");
    private static final Pattern OBJECT = Pattern.compile("^(?:kind|metadata):", Pattern.MULTILINE);

    /** Up to the next field of the object. */
    private static final Pattern METADATA = Pattern.compile("^metadata:.*\\R(?:(?:[ \\t#].*)?\\R)*", Pattern.MULTILINE);

    private static final Pattern LABELS =
            Pattern.compile("^( +)labels:.*\\R(?:(?:\\1[ \\t].*)?\\R)*", Pattern.MULTILINE);

    /** What makes several objects of a text, or puts it elsewhere. */
    private static final Pattern REPEATED = Pattern.compile("\\{\\{-?\\s*(?:range|define|block|else)\\b");

    /** What it includes goes as deep as it says. */
    private static final Pattern INDENTED = Pattern.compile("\\bn?indent\\s+(\\d+)\\s*-?\\}\\}");

    private static final Pattern CONTROL = Pattern.compile("\\{\\{-?\\s*(?:if|with|else|end|/\\*)[\\s\\S]*");

    private ChartTemplate() {}

    /** The template with these annotations on its Job; empty where it is not plain enough. */
    public static Optional<String> with(String template, List<Fix> annotations) {
        var text = template;
        for (var annotation : annotations) {
            var edit = onlyJob(text).flatMap(job -> job.text().with(annotation));
            if (edit.isEmpty()) {
                return Optional.empty();
            }
            text = edit.get().applyTo(text);
        }
        return Optional.of(text);
    }

    private static Optional<Manifest> onlyJob(String template) {
        var covered = covered(template);
        var metadata = METADATA.matcher(covered);
        if (OBJECT.matcher(covered).results().count() != 2
                || !metadata.find()
                || REPEATED.matcher(template.substring(0, metadata.start())).find()
                || !isPlain(template, covered, metadata.start(), metadata.end())) {
            return Optional.empty();
        }
        try {
            return JOBS.in("", "", covered).stream().filter(JOBS::isWhole).findFirst();
        } catch (MalformedYaml e) {
            return Optional.empty();
        }
    }

    /** Whether metadata has lines of actions below its labels alone: annotations may come from any other. */
    private static boolean isPlain(String template, String covered, int from, int to) {
        var labels = LABELS.matcher(covered).region(from, to);
        if (!labels.find()) {
            return !LINES_OF_ACTIONS.matcher(template.substring(from, to)).find();
        }
        var others = template.substring(from, labels.start()) + template.substring(labels.end(), to);
        return !LINES_OF_ACTIONS.matcher(others).find()
                && LINES_OF_ACTIONS
                        .matcher(template.substring(labels.start(), labels.end()))
                        .results()
                        .flatMap(lines -> ACTIONS.matcher(lines.group()).results())
                        .allMatch(action ->
                                isDeeper(action.group(), labels.group(1).length()));
    }

    private static boolean isDeeper(String action, int indent) {
        var indented = INDENTED.matcher(action);
        return CONTROL.matcher(action).matches() || (indented.find() && Integer.parseInt(indented.group(1)) > indent);
    }

    private static String covered(String template) {
        var plain = LINES_OF_ACTIONS
                .matcher(template)
                .replaceAll(lines -> VISIBLE.matcher(lines.group()).replaceAll(" "));
        return ACTIONS.matcher(plain).replaceAll(action -> action.group().replaceAll("[^\\r\\n]", "x"));
    }
}
