package dev.gitopsinterlock.cli.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What changed between two revisions of a Git repository, or since one in the work tree: both sides of every changed
 * manifest. Asks the program {@code git}, which reads only.
 */
public final class GitRange {

    private final Path directory;
    private final String base;
    private final String target;
    private final List<String> changed;

    private GitRange(Path directory, String base, String target, List<String> changed) {
        this.directory = directory;
        this.base = base;
        this.target = target;
        this.changed = List.copyOf(changed);
    }

    /**
     * Finds the changed files.
     *
     * @param range {@code A..B}, {@code A...B} for what B changed since it left A, or {@code A} alone for what is in the
     *     work tree; an end that is left out is {@code HEAD}
     * @param paths that alone count; none for all
     */
    public static GitRange of(Path directory, String range, List<String> paths) throws Unreadable {
        var isSinceLeaving = range.contains("...");
        var ends = range.split("\\.\\.\\.?", 2);
        if (range.startsWith("-") || range.isBlank()) {
            throw Unreadable.wrongUse("--git needs a range such as main..HEAD");
        }
        var from = ends[0].isEmpty() ? "HEAD" : ends[0];
        var to = ends.length == 1 ? "" : ends[1].isEmpty() ? "HEAD" : ends[1];
        var root =
                Path.of(git(directory, List.of("rev-parse", "--show-toplevel")).strip());
        var base = commit(directory, from);
        var target = to.isEmpty() ? "" : commit(directory, to);
        if (isSinceLeaving) {
            base = git(directory, List.of("merge-base", base, target)).strip();
        }
        var diff = new ArrayList<>(List.of("diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", base));
        if (!target.isEmpty()) {
            diff.add(target);
        }
        diff.add("--");
        diff.addAll(paths);
        var changed = Arrays.stream(git(directory, diff).split("\0", -1))
                .filter(ManifestTree::isManifest)
                .toList();
        return new GitRange(root, base, target, changed);
    }

    /** As it was. */
    public ManifestTree base() throws Unreadable {
        return tree(base);
    }

    /** As it is now. */
    public ManifestTree target() throws Unreadable {
        return tree(target);
    }

    private ManifestTree tree(String commit) throws Unreadable {
        var tree = new ManifestTree();
        for (var file : changed) {
            if (commit.isEmpty()) {
                var path = directory.resolve(file);
                if (Files.isRegularFile(path)) {
                    tree.add(file, file, read(path));
                }
            } else if (exists(commit, file)) {
                tree.add(file, file, git(directory, List.of("cat-file", "blob", commit + ":" + file)));
            }
        }
        return tree;
    }

    /** Where the repository is, which the names of files are relative to. */
    public Path root() {
        return directory;
    }

    /** Whether the new side is what is on the disk. */
    public boolean isWorkTree() {
        return target.isEmpty();
    }

    private boolean exists(String commit, String file) throws Unreadable {
        return !git(directory, List.of("ls-tree", "--full-tree", "-z", commit, "--", file))
                .isEmpty();
    }

    private static String commit(Path directory, String revision) throws Unreadable {
        return git(directory, List.of("rev-parse", "--verify", "--end-of-options", revision + "^{commit}"))
                .strip();
    }

    private static String read(Path path) throws Unreadable {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw Unreadable.trouble("cannot read " + path + ": " + e);
        }
    }

    private static String git(Path directory, List<String> arguments) throws Unreadable {
        var command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(arguments);
        var result = Program.run(command);
        if (result.code() != 0) {
            throw Unreadable.wrongUse(
                    "git " + arguments.getFirst() + ": " + result.errors().replaceFirst("^fatal: ", ""));
        }
        return result.out();
    }
}
