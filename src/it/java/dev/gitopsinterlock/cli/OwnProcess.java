package dev.gitopsinterlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A run of the program in a process of its own, with the limits of its script.
 *
 * @param out its output
 * @param peakMebibytes the most memory that it had, without that of programs that it started
 */
record OwnProcess(String out, long peakMebibytes) {

    private static final int KIBIBYTES = 1024;
    private static final int LOOK_EVERY_MILLIS = 20;

    static OwnProcess run(String... arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Xss4m",
                "-cp",
                System.getProperty("java.class.path"),
                Interlock.class.getName()));
        command.addAll(List.of(arguments));
        try {
            var process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var out = CompletableFuture.supplyAsync(() -> read(process));
            long peak = 0;
            do {
                peak = Math.max(peak, peakKibibytes(process));
            } while (!process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS));
            return new OwnProcess(out.join(), peak / KIBIBYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String read(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** None any more once it ends. */
    private static long peakKibibytes(Process process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/status"))
                    .lines()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
