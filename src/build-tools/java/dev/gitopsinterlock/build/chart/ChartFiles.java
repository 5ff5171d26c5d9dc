package dev.gitopsinterlock.build.chart;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The chart as it lies in the project. */
public final class ChartFiles {

    public static final Path FOLDER = Project.directory().resolve("helm/gitops-interlock");

    private ChartFiles() {}

    public static ObjectNode values() {
        return Trees.fromYaml(text("values.yaml"));
    }

    public static String text(String file) {
        return projectText("helm/gitops-interlock/" + file);
    }

    public static String projectText(String file) {
        try {
            return Files.readString(Project.directory().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
