package dev.gitopsinterlock.testing.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Programs that people edit Jobs with and what comes with them, from Go modules, by the test bed. */
public final class Tool {

    /** {@code testbed} ends so where the Go module proxy refuses a module: nothing is wrong with the test bed. */
    private static final int REFUSED = 69;

    private static final Map<List<String>, Answer> ANSWERS = new ConcurrentHashMap<>();

    private Tool() {}

    /** What {@code testbed} printed on stdout, or why it cannot be had. */
    private record Answer(List<String> lines, Optional<String> refusal) {

        List<String> orFail() {
            refusal.ifPresent(words -> {
                throw new IllegalStateException(words);
            });
            return lines;
        }
    }

    /** The path of the program; building it takes minutes the first time. */
    public static String program(String name) {
        return ask("tool", chosen(name)).orFail().getFirst();
    }

    /** The files of the product's CustomResourceDefinitions, among the product's other files. */
    public static List<Path> definitions(String product) {
        return ask("crds", chosen(product)).orFail().stream().map(Path::of).toList();
    }

    /** Why a program cannot be had, if so; else it is built. */
    static Optional<String> refusal(String name) {
        return ask("tool", chosen(name)).refusal();
    }

    /** Why a product's CustomResourceDefinitions cannot be had, if so; else they are downloaded. */
    public static Optional<String> refusalOfDefinitions(String product) {
        return ask("crds", chosen(product)).refusal();
    }

    /** Why a real Node cannot run here, if so; else its programs are built. */
    static Optional<String> refusalOfNode() {
        return ask("build", "--node", "--kubernetes", ControlPlane.VERSION).refusal();
    }

    /** The version of a Go module that a folder of the test bed requires, for example {@code 3.6.1}. */
    public static String version(String folder, String module) {
        try {
            var text = Files.readString(Project.directory()
                    .resolve("testbed")
                    .resolve(chosen(folder))
                    .resolve("go.mod"));
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

    /** An older version that a run is about, by its name: {@code -Dtool.argocd=argocd/3.5}. */
    private static String chosen(String name) {
        return System.getProperty("tool." + name, name);
    }

    private static Answer ask(String... arguments) {
        return ANSWERS.computeIfAbsent(List.of(arguments), Tool::run);
    }

    private static Answer run(List<String> arguments) {
        try {
            var script = Project.directory().resolve("testbed/testbed").toString();
            var command = Stream.concat(Stream.of(script), arguments.stream()).toList();
            var testbed = new ProcessBuilder(command).start();
            testbed.getOutputStream().close();
            var last = new AtomicReference<>("");
            var progress = Thread.ofPlatform()
                    .daemon()
                    .start(() -> testbed.errorReader(UTF_8)
                            .lines()
                            .peek(System.err::println)
                            .forEach(last::set));
            var out = new String(testbed.getInputStream().readAllBytes(), UTF_8);
            int exitCode = testbed.waitFor();
            progress.join();
            if (exitCode == REFUSED) {
                return new Answer(List.of(), Optional.of(last.get()));
            }
            if (exitCode != 0) {
                throw new IllegalStateException("testbed " + String.join(" ", arguments) + " failed, see above");
            }
            return new Answer(out.strip().lines().toList(), Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
