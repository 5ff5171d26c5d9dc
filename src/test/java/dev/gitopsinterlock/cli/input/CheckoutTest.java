package dev.gitopsinterlock.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.run.Git;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a revision, whose tree may ask for others. */
class CheckoutTest {

    @TempDir
    private Path repository;

    @ParameterizedTest
    @ValueSource(strings = {"ident", "working-tree-encoding=UTF-16LE", "eol=crlf", "text eol=crlf"})
    void isAsGitHasIt(String attributes) throws IOException, Unreadable {
        var text = "kind: Job # $Id$\n";
        Git.run(repository, "init", "-q");
        Files.writeString(repository.resolve("job.yaml"), text);
        Git.run(repository, "add", ".");
        Files.writeString(repository.resolve(".gitattributes"), "*.yaml " + attributes + "\n");
        Git.run(repository, "add", ".gitattributes");
        Git.run(repository, "commit", "-q", "-m", "A");

        try (var checkout = Checkout.of(repository, "HEAD")) {
            assertThat(Files.readString(checkout.path().resolve("job.yaml"))).isEqualTo(text);
        }
    }
}
