package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Another program, run to its end. */
public final class Program {

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
        return run(new ProcessBuilder(command), input, limit);
    }

    /** Without input and without these variables of the environment. */
    static Result runWithout(Set<String> variables, List<String> command) throws Unreadable {
        var program = new ProcessBuilder(command);
        program.environment().keySet().removeAll(variables);
        return run(program, "", Integer.MAX_VALUE);
    }

    private static Result run(ProcessBuilder program, String input, int limit) throws Unreadable {
        try {
            var process = program.start();
            var errors = new StringBuilder();
            var reader = Thread.ofVirtual().start(() -> errors.append(errors(process)));
            write(input, process);
            var out = process.getInputStream().readNBytes(limit);
            process.getInputStream().transferTo(OutputStream.nullOutputStream());
            var code = process.waitFor();
            reader.join();
            return new Result(code, ByteBuffer.wrap(out), errors.toString().strip());
        } catch (IOException e) {
            throw Unreadable.trouble(
                    program.command().getFirst() + " is needed for this and cannot be started: put it on PATH");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Unreadable.trouble("interrupted");
        }
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
