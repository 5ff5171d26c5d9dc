package dev.gitopsinterlock.testing.review;

import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Folders under src/test/resources that hold a case each. */
final class CaseFolders {

    private CaseFolders() {}

    /** In the order of the alphabet. */
    static List<String> names(String folder) {
        try (var cases = Files.list(Path.of(Objects.requireNonNull(CaseFolders.class.getResource("/" + folder))
                .toURI()))) {
            return cases.map(one -> one.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes a case's expectation anew, to be read before it is committed. */
    static void expect(String folder, String name, String yaml) {
        Texts.write(Project.directory().resolve("src/test/resources/" + folder + "/" + name + "/expected.yaml"), yaml);
    }
}
