package dev.gitopsinterlock.build.changes;

import dev.gitopsinterlock.testing.change.RealChange;
import dev.gitopsinterlock.testing.text.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads changes as they were rendered from one folder, and writes their facts into another. */
public final class ChangesBuild {

    private ChangesBuild() {}

    public static void main(String[] arguments) throws IOException {
        var facts = Path.of(arguments[1]);
        try (var files = Files.list(Path.of(arguments[0]))) {
            for (var file : files.sorted().toList()) {
                Texts.write(
                        facts.resolve(file.getFileName().toString()),
                        Reduction.of(RealChange.read(file)).text());
            }
        }
    }
}
