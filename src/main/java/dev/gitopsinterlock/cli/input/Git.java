package dev.gitopsinterlock.cli.input;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
        var command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(arguments);
        return Program.run(command);
    }
}
