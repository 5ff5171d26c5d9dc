package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Another program, run to its end, or stopped where it seems to have none. */
public final class Program {

    private static final Duration LIMIT = Duration.ofMinutes(10);

    private Program() {}

    /**
     * What came of it.
     *
     * @param code that it ended with
     * @param output its output, as much of it as was asked for
     * @param errors its errors, without the white space around them
     */
    public record Result(int code, ByteBuffer output, String errors) {

        /** The output as a text. */
        public String out() {
            return UTF_8.decode(output.duplicate()).toString();
        }
    }

    /** Whether there is a program of this name. */
    static boolean isThere(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /** Runs it without input. Blocks; a program that is not there is trouble that says so. */
    public static Result run(List<String> command) throws Unreadable {
        return run(command, "", Integer.MAX_VALUE);
    }

    /**
     * Runs a program with input, of which it need not read all.
     *
     * @param limit how many bytes of its output are kept
     */
    public static Result run(List<String> command, String input, int limit) throws Unreadable {
        return run(new ProcessBuilder(command), input, limit, LIMIT);
    }

    /** Without input, in an environment that is changed first. */
    static Result runIn(Consumer<Map<String, String>> environment, List<String> command) throws Unreadable {
        var program = new ProcessBuilder(command);
        environment.accept(program.environment());
        return run(program, "", Integer.MAX_VALUE, LIMIT);
    }

    static Result run(ProcessBuilder program, String input, int limit, Duration time) throws Unreadable {
        try {
            var process = program.start();
            var errors = new StringBuilder();
            var reader = Thread.ofVirtual().start(() -> errors.append(errors(process)));
            var isStopped = new AtomicBoolean();
            var watch = Thread.ofVirtual().start(() -> isStopped.set(stopsAfter(time, process)));
            // it may answer before it has read everything
            var writer = Thread.ofVirtual().start(() -> write(input, process));
            var out = process.getInputStream().readNBytes(limit);
            process.getInputStream().transferTo(OutputStream.nullOutputStream());
            var code = process.waitFor();
            reader.join();
            writer.join();
            watch.join();
            if (isStopped.get()) {
                throw Unreadable.trouble("stopped after %d minutes, run it yourself to see what it waits for: %s"
                        .formatted(time.toMinutes(), String.join(" ", program.command())));
            }
            return new Result(code, ByteBuffer.wrap(out), errors.toString().strip());
        } catch (IOException e) {
            throw Unreadable.trouble(
                    program.command().getFirst() + " is needed for this and cannot be started: put it on PATH");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Unreadable.trouble("interrupted");
        }
    }

    /** What it has started goes with it, and keeps no output open. */
    private static boolean stopsAfter(Duration time, Process process) {
        try {
            if (process.waitFor(time)) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // by its handle, which leaves the streams to whoever reads them
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
        return true;
    }

    private static void write(String input, Process process) {
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(UTF_8));
        } catch (IOException e) {
            // it has ended already, and says itself why
        }
    }

    private static String errors(Process process) {
        try {
            return new String(process.getErrorStream().readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
