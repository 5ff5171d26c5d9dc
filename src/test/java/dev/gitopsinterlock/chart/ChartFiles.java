package dev.gitopsinterlock.chart;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.Project;
import dev.gitopsinterlock.testing.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The chart as it lies in the project. */
final class ChartFiles {

    static final Path FOLDER = Project.directory().resolve("helm/gitops-interlock");

    private ChartFiles() {}

    static ObjectNode values() {
        return Trees.fromYaml(text("values.yaml"));
    }

    static String text(String file) {
        return projectText("helm/gitops-interlock/" + file);
    }

    static String projectText(String file) {
        try {
            return Files.readString(Project.directory().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
