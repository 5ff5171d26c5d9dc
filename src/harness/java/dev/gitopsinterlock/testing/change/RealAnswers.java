package dev.gitopsinterlock.testing.change;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.tool.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which objects of the real changes were refused by whom, as runs on the real thing have recorded it. */
public enum RealAnswers {
    /** If they were all edited, which tools do not do with hooks. */
    KUBERNETES("kubernetes.txt"),
    HELM_3("helm-3.txt"),
    HELM_4("helm-4.txt");

    private static final Path FOLDER =
            Project.directory().resolve(System.getProperty("real-changes.answers", "src/test/resources/real-answers"));
    private static final String NONE = "accepted";
    private static final String TARGET = "make real-changes";

    private final String file;

    RealAnswers(String file) {
        this.file = file;
    }

    /** What is recorded, by the change's name: the objects that were refused, as {@code Job/migrate}. */
    public Map<String, List<String>> recorded() {
        try {
            var recorded = new TreeMap<String, List<String>>();
            for (var line : Files.readAllLines(FOLDER.resolve(file))) {
                var parts = line.split(": ", 2);
                recorded.put(parts[0], parts[1].equals(NONE) ? List.of() : List.of(parts[1].split(" ", -1)));
            }
            return recorded;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fails unless these answers are the recorded ones; a run that writes takes them in. */
    public void compare(Map<String, List<String>> answers) {
        if (GoldenFiles.areWritten()) {
            var all = Files.exists(FOLDER.resolve(file)) ? recorded() : new TreeMap<String, List<String>>();
            all.putAll(answers);
            GoldenFiles.compare(FOLDER.resolve(file), text(all), TARGET);
        } else {
            GoldenFiles.check(TARGET, () -> assertThat(recorded()).containsAllEntriesOf(answers));
        }
    }

    private static String text(Map<String, List<String>> answers) {
        return answers.entrySet().stream()
                .map(answer -> answer.getKey() + ": "
                        + (answer.getValue().isEmpty() ? NONE : String.join(" ", answer.getValue())) + "\n")
                .collect(joining());
    }

    /** The key of what Helm's upgrade makes of a change, where that differs. */
    public static String upgraded(RealChange change) {
        return change.name() + " upgraded";
    }

    /** Which objects Kubernetes refused, hooks too. */
    public static List<String> ofAll(RealChange change) {
        return KUBERNETES.recorded().getOrDefault(change.name(), List.of());
    }

    /** Which objects Kubernetes refused of those that the tool sends. */
    public static List<String> ofKubernetes(RealChange change, Tool deployer) {
        var recorded = KUBERNETES.recorded();
        var key = deployer == Tool.HELM && recorded.containsKey(upgraded(change)) ? upgraded(change) : change.name();
        if (!recorded.containsKey(key)) {
            throw new IllegalStateException("no answer to " + key + ": run RealChangesIT with -Dgolden.update=true");
        }
        return change.edited(recorded.get(key), deployer);
    }
}
