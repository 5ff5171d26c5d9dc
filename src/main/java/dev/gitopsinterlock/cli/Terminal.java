package dev.gitopsinterlock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Whether people watch. Java tells of both outputs together; Linux tells of each. */
final class Terminal {

    private static final Pattern DEVICE = Pattern.compile("/dev/(pts/|tty|console).*");

    private Terminal() {}

    static boolean showsOutput() {
        return isTerminal("1");
    }

    static boolean showsErrors() {
        return isTerminal("2");
    }

    private static boolean isTerminal(String descriptor) {
        try {
            return DEVICE.matcher(Files.readSymbolicLink(Path.of("/proc/self/fd", descriptor))
                            .toString())
                    .matches();
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
