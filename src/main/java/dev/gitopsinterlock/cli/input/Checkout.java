package dev.gitopsinterlock.cli.input;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A revision of a repository on the disk, in a folder of its own that goes with it; the repository stays as it is. Links
 * in it are files, and neither attributes in the tree nor the user's filters and hooks have changed one.
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
                git(
                        _ -> {},
                        "clone",
                        "-q",
                        "--shared",
                        "--no-checkout",
                        "--template=",
                        "-c",
                        "core.symlinks=false",
                        repository.toString(),
                        checkout.path.toString());
                // takes precedence over attributes in the tree
                Files.writeString(
                        Files.createDirectories(checkout.path.resolve(".git/info"))
                                .resolve("attributes"),
                        "* -text -ident -filter !working-tree-encoding\n");
                git(Checkout::withoutUser, "-C", checkout.path.toString(), "checkout", "-q", "--detach", revision);
                return checkout;
            } catch (Unreadable e) {
                checkout.close();
                throw e;
            }
        } catch (IOException e) {
            throw Unreadable.trouble("cannot check out " + revision + ": " + e);
        }
    }

    /** Whose hooks and filters would run as the tree says, from a relative {@code core.hooksPath} even its own files. */
    private static void withoutUser(Map<String, String> environment) {
        environment.keySet().removeAll(Set.of("GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"));
        environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
        environment.put("GIT_CONFIG_NOSYSTEM", "1");
    }

    private static void git(Consumer<Map<String, String>> change, String... arguments) throws Unreadable {
        var command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        var result = Program.runIn(
                environment -> {
                    environment.keySet().removeAll(OF_ANOTHER);
                    change.accept(environment);
                },
                command);
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
