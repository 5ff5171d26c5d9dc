package dev.gitopsinterlock.testing.client;

import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A Git repository in a folder, with a branch {@code main}; what people configured for Git plays no part. */
public record GitRepository(Path folder) {

    /** Makes an empty repository in the folder, and the folder if there is none. */
    public static GitRepository in(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var repository = new GitRepository(folder);
        repository.git("init", "--quiet", "--initial-branch=main");
        return repository;
    }

    public String url() {
        return folder.toUri().toString().replaceFirst("/$", "");
    }

    /** Writes the file, commits it, and returns the commit's id. */
    public String commit(String file, String text) {
        write(file, text);
        return commitAll("Write " + file);
    }

    /** Writes the files, given by their paths, commits them together, and returns the commit's id. */
    public String commit(Map<String, String> texts) {
        texts.forEach(this::write);
        return commitAll("Write " + String.join(", ", texts.keySet()));
    }

    /** Removes the file, commits that, and returns the commit's id. */
    public String remove(String file) {
        git("rm", "--quiet", file);
        return commitAll("Remove " + file);
    }

    /** The id of the newest commit. */
    public String head() {
        return git("rev-parse", "HEAD");
    }

    /** Writes a .tar.gz with the files of the newest commit. */
    void archive(Path file) {
        git("archive", "--format=tar.gz", "--output=" + file, "HEAD^{tree}");
    }

    private void write(String file, String text) {
        Texts.write(folder.resolve(file), text);
    }

    /** Commits what has changed in the folder, and returns the commit's id. */
    public String commitAll(String message) {
        git("add", "--all");
        git("commit", "--quiet", "--message", message);
        return head();
    }

    private String git(String... arguments) {
        var command = new ArrayList<>(List.of("git", "-C", folder.toString()));
        command.addAll(List.of(arguments));
        var metadata = folder.resolve(".git");
        // Also where these tests run in a hook of Git, which says by such variables what it works on.
        return Command.run(
                        Map.of(
                                "GIT_DIR", metadata.toString(),
                                "GIT_WORK_TREE", folder.toString(),
                                "GIT_INDEX_FILE", metadata.resolve("index").toString(),
                                "GIT_CONFIG_GLOBAL", "/dev/null",
                                "GIT_CONFIG_NOSYSTEM", "1",
                                "GIT_AUTHOR_NAME", "Shop",
                                "GIT_AUTHOR_EMAIL", "shop@example.com",
                                "GIT_COMMITTER_NAME", "Shop",
                                "GIT_COMMITTER_EMAIL", "shop@example.com"),
                        command)
                .orFail()
                .out()
                .strip();
    }
}
