package dev.gitopsinterlock.build.image;

import dev.gitopsinterlock.testing.run.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** This machine: its JDK, and the files of its glibc. */
final class BuildMachine implements Origin {

    private static final Pattern LIBRARY = Pattern.compile("(?:^|=>)\\s*(/\\S+) \\(0x", Pattern.MULTILINE);
    private static final Map<String, String> ENGLISH = Map.of("LC_ALL", "C");

    @Override
    public String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    }

    @Override
    public List<String> jlinkOptions() {
        return List.of("--strip-debug");
    }

    @Override
    public Map<Path, Path> libraries(List<Path> linked) {
        var libraries = new TreeMap<Path, Path>();
        for (var file : linked) {
            for (var library : named(Command.run(ENGLISH, List.of("ldd", file.toString()))
                    .orFail()
                    .out())) {
                libraries.put(library, library);
            }
        }
        return libraries;
    }

    /** The paths in what {@code ldd} says. */
    static List<Path> named(String ldd) {
        return LIBRARY.matcher(ldd)
                .results()
                .map(found -> Path.of(found.group(1)))
                .toList();
    }

    @Override
    public List<String> running(List<String> program) {
        return program;
    }

    @Override
    public Optional<Path> lend(Path root) {
        return Optional.empty();
    }

    @Override
    public List<DebianPackage> packages(Map<Path, Path> libraries) throws IOException {
        var names = new TreeSet<String>();
        for (var library : libraries.values()) {
            // where /lib is a link to /usr/lib, dpkg knows a file by the one or the other
            var real = library.toRealPath().toString();
            for (var path : List.of(library.toString(), real, real.replaceFirst("^/usr", ""))) {
                var owner = Command.run(ENGLISH, List.of("sh", "-c", "dpkg-query -S \"$0\" 2>/dev/null", path));
                if (owner.exitCode() == 0) {
                    names.add(owner.out().strip().replaceFirst(": /.*", ""));
                }
            }
        }
        var packages = new ArrayList<DebianPackage>();
        for (var name : names) {
            var control = Command.run(ENGLISH, List.of("dpkg-query", "-s", name))
                    .orFail()
                    .out();
            var copyright = Path.of("/usr/share/doc", name.replaceFirst(":.*", ""), "copyright");
            packages.add(
                    new DebianPackage(control, Files.exists(copyright) ? Optional.of(copyright) : Optional.empty()));
        }
        return packages;
    }

    /** The version of this machine's glibc, as it says itself. */
    static String glibc() {
        return Command.run(ENGLISH, List.of("ldd", "--version"))
                .orFail()
                .out()
                .lines()
                .findFirst()
                .orElse("")
                .replaceFirst(".* ", "");
    }

    @Override
    public Optional<Path> osRelease() {
        var file = Path.of("/etc/os-release");
        return Files.exists(file) ? Optional.of(file) : Optional.empty();
    }
}
