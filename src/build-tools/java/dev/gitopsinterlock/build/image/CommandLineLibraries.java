package dev.gitopsinterlock.build.image;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the command line needs of the service's libraries, in the image and in its own archive, and what that has besides. */
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

    /** Where Maven keeps those that evaluate rules of definitions. */
    private static final Pattern OWN = Pattern.compile(
            "/(dev/cel|com/google/(?:guava|protobuf|re2j)|org/(?:antlr|threeten))/([^/]+)/([^/]+)/[^/]+\\.jar$");

    private CommandLineLibraries() {}

    /**
     * A library.
     *
     * @param file where Maven keeps it
     */
    public record Library(String group, String name, String version, Path file) {

        /** As the package of the service would call its file. */
        public String jar() {
            return "%s.%s-%s.jar".formatted(group, name, version);
        }
    }

    /** Those that the archive alone has, of the build's own class path. */
    public static List<Library> own() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .flatMap(jar -> OWN.matcher(jar)
                        .results()
                        .map(found -> new Library(
                                found.group(1).replace('/', '.'), found.group(2), found.group(3), Path.of(jar))))
                .toList();
    }

    /** Whether this is one of them. */
    public static boolean include(Path jar) {
        return NAMES.stream().anyMatch(jar.getFileName().toString()::startsWith);
    }
}
