package dev.gitopsinterlock.cli.input;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A revision of a repository on the disk, in a folder of its own that goes with it; the repository stays as it is.
 *
 * @param path of the folder
 */
public record Checkout(Path path) implements AutoCloseable {

    static Checkout of(Path repository, String revision) throws Unreadable {
        try {
            var checkout = new Checkout(Files.createTempDirectory("gitops-interlock"));
            try {
                git(List.of(
                        "clone", "-q", "--shared", "--no-checkout", repository.toString(), checkout.path.toString()));
                git(List.of("-C", checkout.path.toString(), "checkout", "-q", "--detach", revision));
                return checkout;
            } catch (Unreadable e) {
                checkout.close();
                throw e;
            }
        } catch (IOException e) {
            throw Unreadable.trouble("cannot check out " + revision + ": " + e);
        }
    }

    private static void git(List<String> arguments) throws Unreadable {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(arguments);
        var result = Program.run(command);
        if (result.code() != 0) {
            throw Unreadable.trouble("git: " + result.errors());
        }
    }

    @Override
    public void close() {
        try (var all = Files.walk(path)) {
            for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
