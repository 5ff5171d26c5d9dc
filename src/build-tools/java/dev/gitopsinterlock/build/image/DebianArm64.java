package dev.gitopsinterlock.build.image;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Debian 13 for arm64, on a machine of another architecture: apt fetches the packages and checks their signatures, and
 * qemu runs the runtime where it has to be run.
 *
 * @param packages the folder of the packages
 * @param files the folder with their files
 */
record DebianArm64(Path packages, Path files) implements Origin {

    private static final Path FOLDER = Project.directory().resolve("target/debian-arm64");
    private static final Path QEMU = Path.of("/usr/bin/qemu-aarch64-static");
    private static final Path KEYRING = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");

    private static final List<String> NAMES = List.of(
            "base-files",
            "libc6",
            "libgcc-s1",
            "libstdc++6",
            "openjdk-25-jdk-headless",
            "openjdk-25-jre-headless",
            "zlib1g");

    /** What the build takes things from, and the image has nothing of. */
    private static final List<String> NOT_SHIPPED = List.of("base-files", "openjdk-25-jdk-headless");

    private static final String FETCH = """
            folder=$1 keyring=$2; shift 2
            mkdir -p "$folder"/{lists/partial,cache/archives/partial,packages,files}
            : > "$folder/status"
            for suite in 'debian trixie' 'debian-security trixie-security'; do
              echo "deb [signed-by=$keyring] http://deb.debian.org/$suite main"
            done > "$folder/sources.list"
            apt() {
              apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User= \\
                -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=- \\
                -o Dir::State::lists="$folder/lists" -o Dir::State::status="$folder/status" \\
                -o Dir::Cache="$folder/cache" "$@"
            }
            apt update
            (cd "$folder/packages" && apt download "$@")
            for package in "$folder"/packages/*.deb; do dpkg-deb -x "$package" "$folder/files"; done
            [ -e "$folder/files/lib" ] || ln -s usr/lib "$folder/files/lib"
            """;

    /** Fetches the newest packages, unless they have been fetched for this build already. */
    static DebianArm64 fetched() throws IOException {
        var done = FOLDER.resolve("done");
        if (Files.notExists(done)) {
            ImageRoot.delete(FOLDER);
            System.out.println("fetching Java and glibc for arm64 from Debian (150 MB)");
            var command =
                    new ArrayList<>(List.of("bash", "-euc", FETCH, "bash", FOLDER.toString(), KEYRING.toString()));
            command.addAll(NAMES);
            Command.run(Map.of("LC_ALL", "C"), command).orFail();
            Files.createFile(done);
        }
        return new DebianArm64(FOLDER.resolve("packages"), FOLDER.resolve("files"));
    }

    @Override
    public String architecture() {
        return "arm64";
    }

    @Override
    public List<String> jlinkOptions() {
        // native code is stripped already, and by tools of the other architecture it could not be
        return List.of(
                "--strip-java-debug-attributes",
                "--module-path",
                files.resolve("usr/lib/jvm/java-25-openjdk-arm64/jmods").toString());
    }

    @Override
    public Map<Path, Path> libraries(List<Path> linked) {
        var libraries = new TreeMap<Path, Path>();
        var loader = "/lib/ld-linux-aarch64.so.1";
        var own = linked.stream()
                .map(file -> file.resolveSibling("").toString())
                .distinct()
                .collect(joining(":"));
        for (var file : linked) {
            var list = List.of(
                    QEMU.toString(),
                    "-L",
                    files.toString(),
                    files + loader,
                    "--library-path",
                    own,
                    "--list",
                    file.toString());
            for (var library : BuildMachine.named(
                    Command.run(Map.of("LC_ALL", "C"), list).orFail().out())) {
                if (Files.exists(files.resolve(library.toString().substring(1)))) {
                    libraries.put(library, files.resolve(library.toString().substring(1)));
                }
            }
        }
        libraries.put(Path.of(loader), files.resolve(loader.substring(1)));
        return libraries;
    }

    @Override
    public List<String> running(List<String> program) {
        return Stream.concat(Stream.of("/" + QEMU.getFileName()), program.stream())
                .toList();
    }

    @Override
    public Optional<Path> lend(Path root) throws IOException {
        var qemu = root.resolve(QEMU.getFileName());
        Files.copy(QEMU, qemu, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
        return Optional.of(qemu);
    }

    @Override
    public List<DebianPackage> packages(Map<Path, Path> libraries) throws IOException {
        var found = new ArrayList<DebianPackage>();
        try (var archives = Files.list(packages)) {
            for (var archive : archives.filter(file -> file.toString().endsWith(".deb"))
                    .sorted()
                    .toList()) {
                var control = Command.run(Map.of(), List.of("dpkg-deb", "-f", archive.toString()))
                        .orFail()
                        .out();
                var name = archive.getFileName().toString().replaceFirst("_.*", "");
                // the runtime's copyright file is a link into another package
                var copyright = files.resolve("usr/share/doc").resolve(name).resolve("copyright");
                if (!NOT_SHIPPED.contains(name)) {
                    found.add(new DebianPackage(
                            control, Files.exists(copyright) ? Optional.of(copyright) : Optional.empty()));
                }
            }
        }
        return found;
    }

    @Override
    public Optional<Path> osRelease() {
        return Optional.of(files.resolve("usr/lib/os-release"));
    }
}
