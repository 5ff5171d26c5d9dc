package dev.gitopsinterlock.build.image;

import java.nio.file.Path;
import java.util.List;

/** What the command line needs of the service's libraries, in the image and in its own archive. */
public final class CommandLineLibraries {

    /** The beginnings of their files' names. */
    private static final List<String> NAMES = List.of(
            "com.fasterxml.jackson.core.jackson-annotations-",
            "com.fasterxml.jackson.core.jackson-core-",
            "com.fasterxml.jackson.core.jackson-databind-",
            "info.picocli.picocli-",
            "io.github.java-diff-utils.java-diff-utils-",
            "org.jspecify.jspecify-",
            "org.yaml.snakeyaml-");

    private CommandLineLibraries() {}

    /** Whether this is one of them. */
    public static boolean include(Path jar) {
        return NAMES.stream().anyMatch(jar.getFileName().toString()::startsWith);
    }
}
