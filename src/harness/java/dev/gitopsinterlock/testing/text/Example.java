package dev.gitopsinterlock.testing.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A folder of {@code examples/}, as people copy it. */
public record Example(Path folder) {

    public static Example of(String name) {
        return new Example(Project.directory().resolve("examples").resolve(name));
    }

    public String text(String file) {
        return Texts.read(folder.resolve(file));
    }

    /** The one object of the file, a tree of its own for each call. */
    public ObjectNode object(String file) {
        return Trees.fromYaml(text(file));
    }

    /** The texts of all files below a folder of it, by their paths in that folder. */
    public Map<String, String> texts(String below) {
        var root = folder.resolve(below);
        try (var files = Files.walk(root)) {
            var texts = new TreeMap<String, String>();
            for (var file : files.filter(Files::isRegularFile).toList()) {
                texts.put(root.relativize(file).toString(), Texts.read(file));
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
