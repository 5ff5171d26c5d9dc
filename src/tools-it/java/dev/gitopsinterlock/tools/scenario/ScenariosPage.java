package dev.gitopsinterlock.tools.scenario;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Renders docs/scenarios.md: a table for each tool and situation, the tool's own words below it. */
final class ScenariosPage {

    private static final List<String> POLICIES = List.of("Reject", "Replace", "Ignore", "-");

    private static final String INTRODUCTION = """
            <!-- Generated from what the tools' tests saw, src/test/resources/scenarios. `make scenarios` writes it anew. -->
            # What the tools show

            Every row was seen: the real tool, on a real API server with gitops-interlock, by the test that is named below the
            table. The tests run with every change (`make test-tools`), and fail if a tool shows, says or does anything else.
            Argo CD, Flux's kustomize-controller, Helm and kubectl are the programs that people run. Fleet cannot be built from
            published modules: its rows are Helm 4 with the agent's account, field manager, marks and options.

            - **policy** is `on-immutable-change` ([how to set it](../README.md#policy)). `Ignore` is what happens without us.
            - **shows** is the tool's status, or the exit code of its command; **words** are its own, numbered below the table.
            - **the Job** and its Pods, compared with those before.
            - **afterwards** is what was done to Jobs and Pods of the namespace within the next minute.

            Three dots stand for what differs from run to run, such as names of files and identifiers, and `{...}` for the Pod
            template that Kubernetes puts into its own answer, about two thousand characters.
            """;

    private ScenariosPage() {}

    static String of(List<Scenario> scenarios) {
        return INTRODUCTION
                + by(Scenario::tool, scenarios).entrySet().stream()
                        .map(tool -> "\n## " + tool.getKey() + "\n" + situations(tool.getValue()))
                        .collect(joining())
                + EveryKindTable.page();
    }

    private static String situations(List<Scenario> ofOneTool) {
        return by(Scenario::situation, ofOneTool).entrySet().stream()
                .map(situation -> "\n### " + capitalised(situation.getKey()) + "\n\n" + table(situation.getValue()))
                .collect(joining());
    }

    private static String table(List<Scenario> rows) {
        var words = rows.stream().map(Scenario::words).distinct().toList();
        var page = new StringBuilder(
                "| mode | policy | shows | words | the Job | afterwards |\n|---|---|---|---|---|---|\n");
        rows.stream()
                .sorted(Comparator.comparing(Scenario::mode).thenComparingInt(row -> POLICIES.indexOf(row.policy())))
                .forEach(row -> page.append("| %s | %s | %s | %d | %s | %s |\n"
                        .formatted(
                                row.mode(),
                                row.policy(),
                                row.status(),
                                words.indexOf(row.words()) + 1,
                                row.job(),
                                row.afterwards())));
        page.append('\n');
        for (int i = 0; i < words.size(); i++) {
            page.append("%d. `%s`\n".formatted(i + 1, inOneLine(words.get(i))));
        }
        var tests = rows.stream().map(row -> "`" + row.test() + "`").distinct().sorted();
        return page.append("\nSeen by ")
                .append(tests.collect(joining(", ")))
                .append(".\n")
                .toString();
    }

    private static Map<String, List<Scenario>> by(Function<Scenario, String> what, List<Scenario> scenarios) {
        return scenarios.stream().collect(groupingBy(what, LinkedHashMap::new, toList()));
    }

    private static String inOneLine(String words) {
        return words.isEmpty() ? "(nothing)" : words.replaceAll("\\s+", " ").replace('`', '\'');
    }

    private static String capitalised(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
