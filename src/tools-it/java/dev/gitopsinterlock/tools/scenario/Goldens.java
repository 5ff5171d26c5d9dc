package dev.gitopsinterlock.tools.scenario;

import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/** The scenarios as the last reviewed run told them, one file each. */
final class Goldens {

    private Goldens() {}

    static Path file(Scenario scenario) {
        return folder().resolve(scenario.file());
    }

    /** Of an older version only those stories have a golden that the newest one tells in other words. */
    static void compare(Scenario seen) {
        var file = file(seen);
        var newest = folder().resolve(seen.fileOfNewest());
        if (Files.exists(file)
                || !Files.exists(newest)
                || !text(seen).equals(text(read(newest).by(seen.tool())))) {
            GoldenFiles.compare(file, text(seen), "make scenarios");
        }
    }

    static String text(Scenario scenario) {
        return Trees.yaml(Trees.JSON.valueToTree(scenario));
    }

    /** All of them, in the order of their files. */
    static List<Scenario> all() {
        try (var files = Files.walk(folder())) {
            return files.filter(Files::isRegularFile)
                    .sorted(Comparator.comparing(Path::getParent, Comparator.comparing(Path::toString))
                            .thenComparing(Comparator.naturalOrder()))
                    .map(Goldens::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Scenario read(Path file) {
        try {
            return Trees.JSON.treeToValue(Trees.fromYaml(Files.readString(file)), Scenario.class);
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": " + e.getMessage(), e);
        }
    }

    private static Path folder() {
        return Project.directory().resolve("src/test/resources/scenarios");
    }
}
