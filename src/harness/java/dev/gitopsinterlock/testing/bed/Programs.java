package dev.gitopsinterlock.testing.bed;

import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The programs of one product, which run in a folder of their own with nothing of our environment and end with us,
 * however we end. What they say is in {@code target/<product>-logs}.
 */
public final class Programs implements AutoCloseable {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final List<String> environment;
    private final Path home;
    private final Path logs;
    private final Deque<Process> processes = new ArrayDeque<>();

    /**
     * None yet.
     *
     * @param environment variables as {@code NAME=value}
     */
    public Programs(String product, List<String> environment) throws IOException {
        this.environment = environment;
        home = Files.createTempDirectory(product + "-");
        logs = Files.createTempDirectory(
                Files.createDirectories(Project.directory().resolve("target/" + product + "-logs")), "");
    }

    /** Their working folder, which is also the first where they look for programs; gone with them. */
    public Path home() {
        return home;
    }

    public Path logs() {
        return logs;
    }

    /** Starts one and waits until the address answers that it is healthy. */
    public void startHealthy(String name, String health, Path program, String... arguments) throws IOException {
        var process = start(name, Redirect.DISCARD, program, arguments);
        await(name).atMost(Patience.LIMIT).until(() -> {
            if (!process.isAlive()) {
                throw new AssertionError(name + " ended; see " + logs);
            }
            return isHealthy(health);
        });
    }

    /** Starts one and waits for the line that it prints when it is there. */
    public String startPrinting(String name, Path program, String... arguments) throws IOException {
        var line = start(name, Redirect.PIPE, program, arguments).inputReader().readLine();
        if (line == null) {
            throw new IllegalStateException(name + " did not start; see " + logs);
        }
        return line;
    }

    /** Starts one and does not wait. */
    public Process start(String name, Redirect out, Path program, String... arguments) throws IOException {
        return start(
                name,
                out,
                Stream.concat(Stream.of(program.toString()), Stream.of(arguments))
                        .toList());
    }

    /** The same of a whole command. */
    public Process start(String name, Redirect out, List<String> program) throws IOException {
        var command = new ArrayList<>(List.of(
                Project.directory().resolve("testbed/testbed").toString(),
                "tied",
                "env",
                "-i",
                "PATH=" + home + ":" + System.getenv("PATH"),
                "HOME=" + home,
                "TMPDIR=" + home));
        command.addAll(environment);
        command.addAll(program);
        var process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectOutput(out)
                .redirectError(logs.resolve(name + ".log").toFile())
                .start();
        processes.push(process);
        return process;
    }

    private static boolean isHealthy(String url) {
        try {
            var request = HttpRequest.newBuilder(URI.create(url))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        for (var process : processes) {
            end(process);
        }
        // Some leave folders that their owner may not read.
        Command.run(Map.of(), List.of("chmod", "-R", "u+rwX", home.toString())).orFail();
        Command.run(Map.of(), List.of("rm", "-r", home.toString())).orFail();
    }

    /** Ends a program of the test bed, which ends with its stdin, and waits for that. */
    static void end(Process process) {
        try {
            process.getOutputStream().close();
            process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
        }
    }
}
