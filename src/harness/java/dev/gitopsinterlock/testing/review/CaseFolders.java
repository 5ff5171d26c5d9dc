package dev.gitopsinterlock.testing.review;

import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Folders under src/test/resources that hold a case each. */
final class CaseFolders {

    private CaseFolders() {}

    /** In the order of the alphabet. Of the sources, because a build leaves in target what is no longer there. */
    static List<String> names(String folder) {
        try (var cases = Files.list(path(folder))) {
            return cases.filter(Files::isDirectory)
                    .map(one -> one.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a case's expectation anew, to be read before it is committed. */
    static void expect(String folder, String name, String yaml) {
        Texts.write(path(folder).resolve(name).resolve("expected.yaml"), yaml);
    }

    static Path path(String folder) {
        return Project.directory().resolve("src/test/resources").resolve(folder);
    }
}
