package dev.gitopsinterlock.testing.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Runs a program to its end. */
public final class Command {

    private Command() {}

    /** What a program printed and how it ended. */
    public record Result(int exitCode, String out, String err) {

        /** Everything that a person at a terminal would have seen. */
        public String text() {
            return out + err;
        }

        public Result orFail() {
            if (exitCode != 0) {
                throw new AssertionError("exit code " + exitCode + ": " + text());
            }
            return this;
        }
    }

    public static Result run(Map<String, String> environment, List<String> command) {
        try {
            var builder = new ProcessBuilder(command);
            builder.environment().putAll(environment);
            var process = builder.start();
            process.getOutputStream().close();
            var err = CompletableFuture.supplyAsync(
                    () -> read(process.getErrorStream()),
                    // any number of programs may run at a time
                    task -> Thread.ofPlatform().daemon().start(task));
            var out = read(process.getInputStream());
            return new Result(process.waitFor(), out, err.join());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + command, e);
        }
    }

    private static String read(InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
