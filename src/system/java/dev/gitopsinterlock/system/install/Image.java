package dev.gitopsinterlock.system.install;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.image.ImageArchive;
import dev.gitopsinterlock.build.image.ImageBuild;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a container of the service starts from.
 *
 * @param words what it is, for people
 * @param root the folder that it sees as its root; empty where it has to be an ordinary process
 * @param mounts what is put into that root, by its path there
 * @param entrypoint the command, where the Pod has none
 * @param programs commands in place of the image's programs, which the package does not have
 * @param environment variables beside the Pod's
 */
record Image(
        String words,
        Optional<Path> root,
        Map<String, Path> mounts,
        List<String> entrypoint,
        Map<String, List<String>> programs,
        Map<String, String> environment) {

    private static final Path CLOCK_FOLDER = Path.of("/usr/lib/x86_64-linux-gnu/faketime");

    /** Debian's libfaketime, of the two variants the quicker one: a process that loads it first has another clock. */
    static final Path CLOCK = CLOCK_FOLDER.resolve("libfaketime.so.1");

    private static final String COMMAND_LINE = "/usr/bin/gitops-interlock";

    /** Whether there is one, for a real Node, of the package that was built last. */
    static boolean isBuilt() {
        return isOfLastPackage(ImageBuild.ARCHIVE);
    }

    private static boolean isOfLastPackage(Path file) {
        var programs = Interlock.APPLICATION.resolve("quarkus-run.jar");
        return file.toFile().lastModified() > programs.toFile().lastModified();
    }

    /** Its name and tag. */
    static String name() {
        try {
            return ImageArchive.name(ImageBuild.ARCHIVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The image, unpacked, if there is one of the package that was built last; else the package and this JDK, as always
     * where a container cannot have a root of its own.
     */
    static Image newest() {
        try {
            if (!Platform.HAS_NAMESPACES) {
                return new Image(
                        "the package as ordinary processes, as no namespaces can be made",
                        Optional.empty(),
                        Map.of(),
                        java(Path.of(System.getProperty("java.home")), Interlock.APPLICATION),
                        commandLine(Path.of(System.getProperty("java.home")), Interlock.APPLICATION),
                        Map.of());
            }
            var image = Project.directory().resolve("target/image");
            var config = image.resolve("config.json");
            if (isOfLastPackage(config)) {
                return unpacked(image.resolve("root"), Trees.json(Files.readAllBytes(config)));
            }
            return packaged();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Image unpacked(Path root, JsonNode config) {
        var settings = config.path("config");
        var entrypoint = new ArrayList<String>();
        for (var field : List.of("Entrypoint", "Cmd")) {
            settings.path(field).forEach(word -> entrypoint.add(word.asText()));
        }
        var environment = new LinkedHashMap<String, String>();
        for (var variable : settings.path("Env")) {
            var pair = variable.asText().split("=", 2);
            environment.put(pair[0], pair[1]);
        }
        var mounts = new LinkedHashMap<String, Path>();
        if (Files.exists(CLOCK)) {
            mounts.put(CLOCK_FOLDER.toString(), CLOCK_FOLDER);
        }
        return new Image("the image", Optional.of(root), mounts, entrypoint, Map.of(), environment);
    }

    private static Image packaged() throws IOException {
        return new Image(
                "the package, as there is no image of it in target/image",
                Optional.of(Path.of("/")),
                Map.of("/jdk", Path.of(System.getProperty("java.home")), "/app", Interlock.APPLICATION),
                java(Path.of("/jdk"), Path.of("/app")),
                commandLine(Path.of("/jdk"), Path.of("/app")),
                Map.of());
    }

    private static Map<String, List<String>> commandLine(Path jdk, Path application) {
        var path = Stream.of("app", "lib/boot", "lib/main")
                .map(folder -> application.resolve(folder) + "/*")
                .collect(joining(":"));
        return Map.of(
                COMMAND_LINE,
                List.of(jdk.resolve("bin/java").toString(), "-cp", path, "dev.gitopsinterlock.cli.Interlock"));
    }

    /** What a container runs that says this command, or none, and these arguments. */
    List<String> command(List<String> command, List<String> arguments) {
        var all = new ArrayList<>(command.isEmpty() ? entrypoint : command);
        all.addAll(arguments);
        var program = programs.getOrDefault(all.getFirst(), List.of(all.getFirst()));
        return Stream.concat(program.stream(), all.stream().skip(1)).toList();
    }

    private static List<String> java(Path jdk, Path application) throws IOException {
        var command = new ArrayList<>(List.of(jdk.resolve("bin/java").toString()));
        if (Files.exists(Interlock.AOT_CACHE)) {
            command.add("-XX:AOTCache=" + application.resolve(Interlock.AOT_CACHE.getFileName()));
        }
        command.addAll(Files.readAllLines(Interlock.JVM_FLAGS));
        command.addAll(List.of("-jar", application.resolve("quarkus-run.jar").toString()));
        return command;
    }
}
