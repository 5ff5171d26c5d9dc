package dev.gitopsinterlock.cli.input;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The program {@code git} in a directory, which is only told to read. */
record Git(Path directory) {

    /** The commit that a revision names. */
    String commit(String revision) throws Unreadable {
        var asked = run(List.of("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"));
        if (asked.code() != 0) {
            throw Unreadable.wrongUse("there is no revision " + revision + inShallowClone());
        }
        return asked.out().strip();
    }

    /** Where the ends of a range left each other. */
    String mergeBase(String range, String base, String target) throws Unreadable {
        var asked = run(List.of("merge-base", base, target));
        if (asked.code() != 0) {
            throw Unreadable.wrongUse("the ends of " + range + " have no commit in common" + inShallowClone());
        }
        return asked.out().strip();
    }

    private String inShallowClone() throws Unreadable {
        return run(List.of("rev-parse", "--is-shallow-repository"))
                        .out()
                        .strip()
                        .equals("true")
                ? ": this is a shallow clone; fetch all of the history (git fetch --unshallow; in CI fetch-depth: 0 or"
                        + " GIT_DEPTH: \"0\")"
                : "";
    }

    /** Refuses a path that no revision has, nor the work tree: nothing would be found in one that is misspelt. */
    void requireThere(String path, List<String> revisions) throws Unreadable {
        if (Files.exists(directory.resolve(path))) {
            return;
        }
        var nothing = output(List.of("hash-object", "-t", "tree", "--stdin")).strip();
        var all = files(List.of(path), "--cached", "--others").stream();
        for (var revision : revisions) {
            var there = output(List.of("diff", "--name-only", nothing, revision, "--", path));
            all = Stream.concat(all, there.lines());
        }
        if (all.findAny().isEmpty()) {
            throw Unreadable.wrongUse("there is no file or folder " + path);
        }
    }

    /** The names of files below paths, by options of {@code git ls-files}; of all without any path. */
    List<String> files(List<String> paths, String... options) throws Unreadable {
        var list = new ArrayList<>(List.of("ls-files", "--full-name", "-z"));
        list.addAll(List.of(options));
        list.add("--");
        list.addAll(paths.isEmpty() ? List.of(":/") : paths);
        return names(output(list));
    }

    /** Those of these paths that Git itself ignores. */
    List<String> ignored(List<String> paths) throws Unreadable {
        var asked = Program.run(
                command(List.of("check-ignore", "--no-index", "--stdin", "-z")),
                String.join("\0", paths),
                Integer.MAX_VALUE);
        // it stops at what is no plain path
        if (asked.code() > 1 && paths.size() > 1) {
            var middle = paths.size() / 2;
            var ignored = new ArrayList<>(ignored(paths.subList(0, middle)));
            ignored.addAll(ignored(paths.subList(middle, paths.size())));
            return ignored;
        }
        return asked.code() == 0 ? names(asked.out()) : List.of();
    }

    private static List<String> names(String output) {
        return Stream.of(output.split("\0", -1)).filter(name -> !name.isEmpty()).toList();
    }

    /** What it prints; wrong use where it fails. */
    String output(List<String> arguments) throws Unreadable {
        var result = run(arguments);
        if (result.code() != 0) {
            throw Unreadable.wrongUse(
                    "git " + arguments.getFirst() + ": " + result.errors().replaceFirst("^fatal: ", ""));
        }
        return result.out();
    }

    Program.Result run(List<String> arguments) throws Unreadable {
        return Program.run(command(arguments));
    }

    private List<String> command(List<String> arguments) {
        var command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(arguments);
        return command;
    }
}
