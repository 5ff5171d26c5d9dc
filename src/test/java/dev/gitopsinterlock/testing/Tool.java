package dev.gitopsinterlock.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Programs that people edit Jobs with, built by the test bed. */
public final class Tool {

    private static final Map<String, String> PROGRAMS = new ConcurrentHashMap<>();

    private Tool() {}

    /** The path of the program; building it takes minutes the first time. */
    public static String program(String name) {
        return PROGRAMS.computeIfAbsent(name, Tool::build);
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
