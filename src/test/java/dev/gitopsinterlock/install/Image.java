package dev.gitopsinterlock.install;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.Interlock;
import dev.gitopsinterlock.testing.Project;
import dev.gitopsinterlock.testing.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a container of the service starts from.
 *
 * @param words what it is, for people
 * @param root the folder that it sees as its root
 * @param mounts what is put into that root, by its path there
 * @param entrypoint the command, where the Pod has none
 * @param environment variables beside the Pod's
 */
record Image(
        String words, Path root, Map<String, Path> mounts, List<String> entrypoint, Map<String, String> environment) {

    /** The image, unpacked, if there is one of the package that was built last; else the package and this JDK. */
    static Image newest() {
        try {
            var image = Project.directory().resolve("target/image");
            var config = image.resolve("config.json");
            if (Files.exists(config)
                    && Files.getLastModifiedTime(config)
                                    .compareTo(
                                            Files.getLastModifiedTime(Interlock.APPLICATION.resolve("quarkus-run.jar")))
                            > 0) {
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
        return new Image("the image", root, Map.of(), entrypoint, environment);
    }

    private static Image packaged() throws IOException {
        var command = new ArrayList<>(List.of("/jdk/bin/java"));
        if (Files.exists(Interlock.AOT_CACHE)) {
            command.add("-XX:AOTCache=/app/app.aot");
        }
        command.addAll(Files.readAllLines(Interlock.JVM_FLAGS));
        command.addAll(List.of("-jar", "/app/quarkus-run.jar"));
        return new Image(
                "the package, as there is no image of it in target/image",
                Path.of("/"),
                Map.of("/jdk", Path.of(System.getProperty("java.home")), "/app", Interlock.APPLICATION),
                command,
                Map.of());
    }
}
