package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.gitopsinterlock.cli.input.ManifestTree.Source;
import dev.gitopsinterlock.cli.yaml.Manifests;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads files, folders and the standard input.
 *
 * @param reader of what is in them
 * @param standardInput for {@code -}
 * @param directory that relative names are relative to
 */
public record FileTrees(Manifests reader, InputStream standardInput, Path directory) {

    /** Stands for the standard input. */
    public static final String STANDARD_INPUT = "-";

    /** A file, all manifests below a folder but hidden ones, or a stream. Follows a link only where it is named itself. */
    public ManifestTree read(String argument) throws Unreadable {
        var tree = new ManifestTree(reader);
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
            var folder = path.toRealPath();
            var ingredients = new Ingredients(file -> text(folder.resolve(file)));
            for (var file : visible(folder)) {
                var below = folder.relativize(file);
                var name = Path.of(argument).resolve(below).toString();
                var isManifest = ManifestFile.isManifest(name);
                if (Files.isSymbolicLink(file) && (isManifest || Files.isDirectory(file))) {
                    tree.addLink(name);
                } else if (Files.isRegularFile(file, NOFOLLOW_LINKS)) {
                    Source source = () -> Files.newInputStream(file, NOFOLLOW_LINKS);
                    if (isManifest) {
                        tree.add(name, below.toString(), source);
                    } else if (ingredients.has(below.toString())) {
                        tree.addIngredient(name, below.toString(), source);
                    }
                }
            }
            return tree;
        } catch (IOException | UncheckedIOException e) {
            throw Unreadable.trouble("cannot read " + argument + ": " + e);
        }
    }

    private static Optional<String> text(Path file) {
        try (var in = Files.newInputStream(file, NOFOLLOW_LINKS)) {
            return Optional.of(new String(in.readNBytes(ManifestTree.MAX_FILE), UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** All below a folder, but hidden ones. */
    static List<Path> visible(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> !isHidden(folder.relativize(file)))
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
