package dev.gitopsinterlock.build.cli;

import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import picocli.AutoComplete;

/**
 * Packages the command line: {@code bin} with the program under both of its names, {@code lib} with our classes, the
 * libraries that they need and an AOT cache, {@code runtime} with the modules of Java that they need, {@code share} with
 * manual pages and the completion of bash. As a folder and as an archive in {@code target/cli}. It runs wherever it is unpacked, on this machine's architecture.
 */
public final class CliBuild {

    public static final Path FOLDER = Project.directory().resolve("target/cli");

    private static final Path SCRIPT = Project.directory().resolve("src/main/cli/gitops-interlock");
    private static final String MODULES = "java.base,java.net.http,java.xml";

    /** What the command line needs of the service's libraries, by the beginnings of their files' names. */
    private static final List<String> LIBRARIES = List.of(
            "com.fasterxml.jackson.core.jackson-annotations-",
            "com.fasterxml.jackson.core.jackson-core-",
            "com.fasterxml.jackson.core.jackson-databind-",
            "info.picocli.picocli-",
            "io.github.java-diff-utils.java-diff-utils-",
            "org.jspecify.jspecify-",
            "org.yaml.snakeyaml-");

    private CliBuild() {}

    /**
     * Builds it anew.
     *
     * @param args version
     */
    public static void main(String[] args) throws IOException {
        delete(FOLDER);
        var architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        var name = "gitops-interlock-%s-linux-%s".formatted(args[0], architecture);
        var home = FOLDER.resolve(name);
        program(home);
        manual(home, args[0]);
        libraries(home);
        runtime(home);
        train(home);
        pack(name);
        System.out.println(FOLDER.resolve(name + ".tar.gz"));
    }

    private static void program(Path home) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.copy(SCRIPT, home.resolve("bin/gitops-interlock"));
        Files.createSymbolicLink(home.resolve("bin/kubectl-interlock"), Path.of("gitops-interlock"));
        Files.copy(Project.directory().resolve("LICENSE"), home.resolve("LICENSE"));
    }

    /** Where man and bash look for them, in whatever folder {@code bin} is. */
    private static void manual(Path home, String version) throws IOException {
        var program = dev.gitopsinterlock.cli.Interlock.commandLine();
        var pages = Files.createDirectories(home.resolve("share/man/man1"));
        for (var page : ManPage.of(program, program.getCommandName() + " " + version)) {
            Files.writeString(pages.resolve(page.file()), page.text());
        }
        var completions = Files.createDirectories(home.resolve("share/bash-completion/completions"));
        Files.writeString(
                completions.resolve(program.getCommandName()), AutoComplete.bash(program.getCommandName(), program));
    }

    private static void libraries(Path home) throws IOException {
        var lib = Files.createDirectories(home.resolve("lib"));
        for (var folder : List.of("app", "lib/main")) {
            try (var jars = Files.list(Interlock.APPLICATION.resolve(folder))) {
                for (var jar : jars.filter(file -> folder.equals("app") || isNeeded(file))
                        .toList()) {
                    Files.copy(jar, lib.resolve(jar.getFileName()));
                }
            }
        }
    }

    /** Whether the command line needs this library of the service. */
    public static boolean isNeeded(Path jar) {
        return LIBRARIES.stream().anyMatch(jar.getFileName().toString()::startsWith);
    }

    private static void runtime(Path home) {
        run(
                Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
                "--add-modules",
                MODULES,
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                "--compress=zip-6",
                "--output",
                home.resolve("runtime").toString());
    }

    /** On a change of each kind. The cache holds the times of the jars, which the archive keeps. */
    private static void train(Path home) {
        var samples = Project.directory().resolve("src/test/resources/check-formats");
        var cache = home.resolve("lib/gitops-interlock.aot");
        var command = List.of(
                home.resolve("runtime/bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Xss4m",
                "-XX:-UsePerfData",
                "-Xlog:disable",
                "-XX:AOTCacheOutput=" + cache,
                "-cp",
                home.resolve("lib") + "/*",
                "dev.gitopsinterlock.cli.Interlock",
                "check",
                samples.resolve("old").toString(),
                samples.resolve("new").toString());
        // it finds something, which is no failure here
        Command.run(Map.of(), command);
        if (Files.notExists(cache)) {
            throw new IllegalStateException("no AOT cache was made");
        }
    }

    /** Sorted, with equal times and owners, so that it holds nothing of the machine but Java. */
    private static void pack(String name) {
        run(
                "tar",
                "-C",
                FOLDER.toString(),
                "--sort=name",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
                "--use-compress-program=gzip -n -9",
                "-cf",
                FOLDER.resolve(name + ".tar.gz").toString(),
                name);
    }

    private static void run(String... command) {
        Command.run(Map.of(), List.of(command)).orFail();
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(CliBuild::deleteOne);
            }
        }
    }

    private static void deleteOne(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
