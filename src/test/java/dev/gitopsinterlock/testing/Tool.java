package dev.gitopsinterlock.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Programs that people edit Jobs with, built by the test bed. */
public final class Tool {

    private static final Map<String, String> PROGRAMS = new ConcurrentHashMap<>();

    private Tool() {}

    /** The path of the program; building it takes minutes the first time. */
    public static String program(String name) {
        return PROGRAMS.computeIfAbsent(name, Tool::build);
    }

    /** The version of a Go module that a folder of the test bed requires, for example {@code 3.5.7}. */
    public static String version(String folder, String module) {
        try {
            var text = Files.readString(
                    Project.directory().resolve("testbed").resolve(folder).resolve("go.mod"));
            return Pattern.compile("\\b" + Pattern.quote(module) + " v(\\S+)")
                    .matcher(text)
                    .results()
                    .findFirst()
                    .orElseThrow()
                    .group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String build(String name) {
        try {
            var testbed = new ProcessBuilder(
                            Project.directory().resolve("testbed/testbed").toString(), "tool", name)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            testbed.getOutputStream().close();
            var path = new String(testbed.getInputStream().readAllBytes(), UTF_8).strip();
            if (testbed.waitFor() != 0) {
                throw new IllegalStateException("the test bed could not build " + name + ", see above");
            }
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
