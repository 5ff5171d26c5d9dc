package dev.gitopsinterlock.cli.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads files, folders and the standard input.
 *
 * @param standardInput for {@code -}
 * @param directory that relative names are relative to
 */
public record FileTrees(InputStream standardInput, Path directory) {

    /** Stands for the standard input. */
    public static final String STANDARD_INPUT = "-";

    /** A file, all manifests below a folder but hidden ones, or a stream. */
    public ManifestTree read(String argument) throws Unreadable {
        var tree = new ManifestTree();
        try {
            if (argument.equals(STANDARD_INPUT)) {
                tree.add(STANDARD_INPUT, "", () -> standardInput);
                return tree;
            }
            var path = directory.resolve(argument);
            if (!Files.exists(path)) {
                throw Unreadable.wrongUse("there is no file or folder " + argument);
            }
            if (!Files.isDirectory(path)) {
                tree.add(argument, "", () -> Files.newInputStream(path));
                return tree;
            }
            for (var file : manifests(path)) {
                var below = path.relativize(file);
                tree.add(
                        Path.of(argument).resolve(below).toString(),
                        below.toString(),
                        () -> Files.newInputStream(file));
            }
            return tree;
        } catch (IOException e) {
            throw Unreadable.trouble("cannot read " + argument + ": " + e);
        }
    }

    private static List<Path> manifests(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(
                            file -> ManifestTree.isManifest(file.getFileName().toString()))
                    .filter(file -> !isHidden(folder.relativize(file)))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
    }

    private static boolean isHidden(Path path) {
        for (var part : path) {
            if (part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }
}
