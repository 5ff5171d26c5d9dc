package dev.gitopsinterlock.cli.input;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A revision of a repository on the disk, in a folder of its own that goes with it; the repository stays as it is. Links
 * in it are files.
 *
 * @param path of the folder
 */
public record Checkout(Path path) implements AutoCloseable {

    /** Which Git's own hooks have, and which would lead to the user's repository. */
    private static final Set<String> OF_ANOTHER = Set.of(
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "GIT_OBJECT_DIRECTORY",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES",
            "GIT_COMMON_DIR",
            "GIT_PREFIX");

    static Checkout of(Path repository, String revision) throws Unreadable {
        try {
            var checkout = new Checkout(Files.createTempDirectory("gitops-interlock"));
            try {
                git(List.of(
                        "clone",
                        "-q",
                        "--shared",
                        "--no-checkout",
                        "-c",
                        "core.symlinks=false",
                        repository.toString(),
                        checkout.path.toString()));
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
        var result = Program.runWithout(OF_ANOTHER, command);
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
