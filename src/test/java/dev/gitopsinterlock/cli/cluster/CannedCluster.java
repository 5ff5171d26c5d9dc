package dev.gitopsinterlock.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A program in the place of kubectl that answers from files. */
public final class CannedCluster {

    private CannedCluster() {}

    /**
     * Writes it.
     *
     * @param answers by their paths: a list's items, an object, or as a text what is an error; others do not exist
     */
    public static ClusterReader in(Path folder, JsonNode answers) throws IOException {
        for (var answer : answers.properties()) {
            var file = folder.resolve(answer.getKey().replace('/', '_'));
            if (answer.getValue().isTextual()) {
                Files.writeString(
                        file.resolveSibling(file.getFileName() + ".error"),
                        answer.getValue().asText());
            } else {
                var tree = answer.getValue().isArray()
                        ? Trees.JSON.createObjectNode().set("items", answer.getValue())
                        : answer.getValue();
                Files.write(file, Trees.bytes(tree));
            }
        }
        var program = Files.writeString(folder.resolve("kubectl"), """
                #!/bin/sh
                # get --raw PATH
                path=${3%%%%\\?*}
                file="%s/$(echo "$path" | tr / _)"
                if [ -f "$file" ]; then exec cat "$file"; fi
                if [ -f "$file.error" ]; then cat "$file.error" >&2; exit 1; fi
                echo "Error from server (NotFound): the server could not find the requested resource" >&2
                exit 1
                """.formatted(folder));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return new ClusterReader(new Kubectl(List.of(program.toString())));
    }
}
