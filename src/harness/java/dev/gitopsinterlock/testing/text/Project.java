package dev.gitopsinterlock.testing.text;

import java.nio.file.Path;

/** Where the project's files are. */
public final class Project {

    private Project() {}

    public static Path directory() {
        return Path.of(System.getProperty("project.directory", "")).toAbsolutePath();
    }
}
