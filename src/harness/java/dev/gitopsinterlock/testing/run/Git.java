package dev.gitopsinterlock.testing.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Git in a repository that a test makes, with an author. */
public final class Git {

    private Git() {}

    /** Where Git fails, the test does. */
    public static void run(Path repository, String... arguments) {
        var command = new ArrayList<>(List.of(
                "git", "-C", repository.toString(), "-c", "user.name=Test", "-c", "user.email=test@example.com"));
        command.addAll(List.of(arguments));
        Command.run(Map.of(), command).orFail();
    }
}
