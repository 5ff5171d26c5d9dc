package dev.gitopsinterlock.build.cli;

import dev.gitopsinterlock.build.image.CommandLineLibraries;
import dev.gitopsinterlock.build.image.ImageBuild;
import dev.gitopsinterlock.build.image.Origin;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import picocli.AutoComplete;

/**
 * Packages the command line: {@code bin} with the program under both of its names, {@code lib} with our classes, the
 * libraries that they need and an AOT cache, {@code runtime} with the modules of Java that they need, {@code share} with
 * manual pages and the completion of bash. As a folder and as an archive in {@code target/cli}, with its bill of materials. It runs wherever it is unpacked.
 */
public final class CliBuild {

    public static final Path FOLDER = Project.directory().resolve("target/cli");

    private static final Path SCRIPT = Project.directory().resolve("src/main/cli/gitops-interlock");
    private static final String MODULES = "java.base,java.logging,java.net.http,java.xml,jdk.unsupported";

    private CliBuild() {}

    /**
     * Builds it anew in {@link #FOLDER}.
     *
     * @param args version; what for, as in {@link #build}
     */
    public static void main(String[] args) throws IOException {
        System.out.println(build(FOLDER, args[0], args[1]));
    }

    /**
     * Builds it anew.
     *
     * @param folder where to; nobody else may build there at the same time
     * @param wanted what for: {@code native}, which is this machine's architecture, {@code arm64}, or {@code java}, which
     *     has no runtime and takes the Java of its user
     * @return the archive
     */
    public static Path build(Path folder, String version, String wanted) throws IOException {
        var name = "gitops-interlock-cli-%s-%s".formatted(version, platform(wanted));
        var home = folder.resolve(name);
        System.out.println("command line: copying program, manual pages and libraries");
        delete(home);
        program(home);
        manual(home, version);
        libraries(home);
        if (!wanted.equals("java")) {
            var origin = Origin.of(wanted);
            System.out.println("command line: linking a Java runtime");
            runtime(home, origin);
            if (origin.architecture().equals(architecture())) {
                System.out.println("command line: training its AOT cache");
                train(home);
            }
        }
        System.out.println("command line: packing");
        describe(home, folder.resolve(name + ".cdx.json"));
        return pack(folder, name);
    }

    /** Where the archive for a platform is, in the folder of the build. */
    public static Path archive(Path folder, String version, String platform) {
        return folder.resolve("gitops-interlock-cli-%s-%s.tar.gz".formatted(version, platform));
    }

    /** That of this machine. */
    public static String platform() {
        return "linux-" + architecture();
    }

    private static String platform(String wanted) {
        return switch (wanted) {
            case "native" -> platform();
            case "java" -> "java";
            default -> "linux-" + wanted;
        };
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
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
                for (var jar : jars.filter(file -> folder.equals("app") || CommandLineLibraries.include(file))
                        .toList()) {
                    Files.copy(jar, lib.resolve(jar.getFileName()));
                }
            }
        }
        for (var library : CommandLineLibraries.own()) {
            Files.copy(library.file(), lib.resolve(library.jar()));
        }
    }

    private static void runtime(Path home, Origin origin) {
        var jlink = Path.of(System.getProperty("java.home"), "bin", "jlink").toString();
        var command = new ArrayList<>(List.of(jlink, "--add-modules", MODULES));
        command.addAll(origin.jlinkOptions());
        command.addAll(List.of("--no-header-files", "--no-man-pages", "--compress=zip-6"));
        command.addAll(List.of("--output", home.resolve("runtime").toString()));
        Command.run(Map.of(), command).orFail();
    }

    /** On a change of Jobs and of custom resources. The cache holds the times of the jars, which the archive keeps. */
    private static void train(Path home) throws IOException {
        var resources = Project.directory().resolve("src/test/resources");
        var samples = Files.createTempDirectory("training");
        for (var side : Map.of("old", "base", "new", "target").entrySet()) {
            var folder = Files.createDirectory(samples.resolve(side.getKey()));
            Files.copy(
                    resources.resolve("check-formats").resolve(side.getKey()).resolve("a b/jobs.yaml"),
                    folder.resolve("jobs.yaml"));
            Files.copy(
                    resources.resolve("check/custom-resource-rules").resolve(side.getValue() + ".yaml"),
                    folder.resolve("custom.yaml"));
        }
        var cache = home.resolve("lib/gitops-interlock.aot");
        var command = List.of(
                home.resolve("runtime/bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Xss4m",
                "-XX:-UsePerfData",
                "--sun-misc-unsafe-memory-access=allow",
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
        delete(samples);
        if (Files.notExists(cache)) {
            throw new IllegalStateException("no AOT cache was made");
        }
    }

    /** Of the service's bill of materials what is in here, and Java. */
    private static void describe(Path home, Path file) throws IOException {
        var bill = ImageBuild.libraries();
        bill.remove("dependencies");
        var components = bill.withArray("/components");
        for (var each = components.elements(); each.hasNext(); ) {
            var one = each.next();
            var jar = "%s.%s-%s.jar"
                    .formatted(
                            one.path("group").asText(),
                            one.path("name").asText(),
                            one.path("version").asText());
            if (Files.notExists(home.resolve("lib").resolve(jar))) {
                each.remove();
            }
        }
        for (var library : CommandLineLibraries.own()) {
            components
                    .addObject()
                    .put("type", "library")
                    .put("group", library.group())
                    .put("name", library.name())
                    .put("version", library.version())
                    .put(
                            "purl",
                            "pkg:maven/%s/%s@%s?type=jar"
                                    .formatted(library.group(), library.name(), library.version()));
        }
        if (Files.exists(home.resolve("runtime"))) {
            components.add(ImageBuild.javaRuntime(home.resolve("runtime")));
        }
        Files.writeString(file, bill.toPrettyString() + "\n");
    }

    /** Sorted, with equal owners and without links, which krew does not unpack. */
    private static Path pack(Path folder, String name) {
        var archive = folder.resolve(name + ".tar.gz");
        run(
                "tar",
                "-C",
                folder.toString(),
                "--dereference",
                "--hard-dereference",
                "--sort=name",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
                "--use-compress-program=gzip -n -9",
                "-cf",
                archive.toString(),
                name);
        return archive;
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
