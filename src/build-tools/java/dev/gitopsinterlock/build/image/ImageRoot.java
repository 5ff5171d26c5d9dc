package dev.gitopsinterlock.build.image;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The image's files, in a folder: the Java runtime, the glibc files that it needs, the package, and what a process
 * without a shell or a distribution still looks for. All times are equal, because the AOT cache holds them.
 *
 * @param folder where they are
 */
public record ImageRoot(Path folder) {

    static final String JAVA = "opt/java";
    static final String APPLICATION = "opt/gitops-interlock";
    static final String AOT_CACHE = APPLICATION + "/app.aot";

    private static final List<String> PROGRAMS = List.of("usr/bin/gitops-interlock", "usr/bin/kubectl-interlock");
    private static final String PROGRAM_OPTIONS = APPLICATION + "/cli.options";

    /** The beginning of the names of the archives that have it, one for each platform. */
    private static final String BORING_SSL = "io.netty.netty-tcnative-boringssl-static-";

    private static final String PACKAGES = "var/lib/dpkg/status.d";
    private static final String OS_RELEASE = "etc/os-release";

    /** The time of every file, the second after the epoch: some tools take the epoch itself for none. */
    public static final Instant TIME = Instant.ofEpochSecond(1);

    /** The command line needs java.net.http. */
    private static final String MODULES =
            "java.base,java.logging,java.management,java.naming,java.net.http,java.xml,jdk.management,jdk.unsupported";

    private static final List<String> MOUNT_POINTS =
            List.of("dev", "proc", "sys", "etc/gitops-interlock/tls", "var/run/secrets/kubernetes.io/serviceaccount");

    /** Makes the files anew, all but the AOT cache. */
    static ImageRoot assemble(Path folder, Origin origin) throws IOException {
        delete(folder);
        var root = new ImageRoot(folder);
        Files.createDirectories(folder.resolve("opt"));
        root.linkJavaRuntime(origin);
        root.addBoringSsl(origin.architecture());
        var libraries = root.copyLibraries(origin);
        root.record(origin, libraries);
        root.copyApplication();
        root.addProgram();
        for (var place : MOUNT_POINTS) {
            Files.createDirectories(folder.resolve(place));
        }
        Files.writeString(folder.resolve("etc/passwd"), """
                root:x:0:0:root:/:/sbin/nologin
                gitops-interlock:x:65532:65532:gitops-interlock:/:/sbin/nologin
                """);
        Files.writeString(folder.resolve("etc/group"), "root:x:0:\ngitops-interlock:x:65532:\n");
        Files.writeString(folder.resolve("etc/nsswitch.conf"), "hosts: files dns\n");
        Files.createDirectory(folder.resolve("tmp"));
        root.normalise();
        return root;
    }

    Path java() {
        return folder.resolve(JAVA);
    }

    public Path application() {
        return folder.resolve(APPLICATION);
    }

    Path aotCache() {
        return folder.resolve(AOT_CACHE);
    }

    /** Gives every file the same time, and rights that do not depend on who builds. */
    void normalise() {
        each(file -> {
            var isExecutable = Files.isDirectory(file)
                    || (Files.isExecutable(file) && !file.toString().endsWith(".jar"));
            Files.setPosixFilePermissions(
                    file, PosixFilePermissions.fromString(isExecutable ? "rwxr-xr-x" : "rw-r--r--"));
            var time = FileTime.from(TIME);
            Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setTimes(time, time, null);
        });
    }

    /** The packages that files here come from. */
    List<DebianPackage> packages() throws IOException {
        var records = folder.resolve(PACKAGES);
        if (Files.notExists(records)) {
            return List.of();
        }
        var packages = new ArrayList<DebianPackage>();
        try (var files = Files.list(records)) {
            for (var file : files.sorted().toList()) {
                packages.add(new DebianPackage(Files.readString(file), Optional.empty()));
            }
        }
        return packages;
    }

    /** Whose packages they are, for example {@code debian}. */
    String distribution() throws IOException {
        var release = new Properties();
        try (var text = Files.newBufferedReader(folder.resolve(OS_RELEASE))) {
            release.load(text);
        }
        return release.getProperty("ID").replace("\"", "");
    }

    private void linkJavaRuntime(Origin origin) {
        var jlink = Path.of(System.getProperty("java.home"), "bin", "jlink").toString();
        var command = new ArrayList<>(List.of(jlink, "--add-modules", MODULES));
        command.addAll(origin.jlinkOptions());
        command.addAll(List.of("--no-header-files", "--no-man-pages", "--output", java().toString()));
        Command.run(Map.of(), command).orFail();
    }

    /** Those that the runtime's programs and BoringSSL are linked with, at the places where the loader looks for them. */
    private Map<Path, Path> copyLibraries(Origin origin) throws IOException {
        try (var ofJava = Files.walk(java());
                var others = Files.list(nativeLibraries())) {
            var linked = Stream.concat(ofJava, others).filter(ImageRoot::isLinked);
            var libraries = origin.libraries(linked.toList());
            libraries.keySet().removeIf(place -> place.startsWith(folder));
            for (var library : libraries.entrySet()) {
                copy(
                        library.getValue(),
                        folder.resolve(library.getKey().toString().substring(1)));
            }
            return libraries;
        }
    }

    /** What scanners read: which distribution's packages have files here, in which versions, and their licences. */
    private void record(Origin origin, Map<Path, Path> libraries) throws IOException {
        var records = folder.resolve(PACKAGES);
        for (var source : origin.packages(libraries)) {
            Files.createDirectories(records);
            Files.writeString(records.resolve(source.name()), source.status());
            if (source.copyright().isPresent()) {
                copy(
                        source.copyright().orElseThrow(),
                        folder.resolve("usr/share/doc").resolve(source.name()).resolve("copyright"));
            }
        }
        if (Files.exists(records) && origin.osRelease().isPresent()) {
            copy(origin.osRelease().orElseThrow(), folder.resolve(OS_RELEASE));
        }
    }

    private static boolean isLinked(Path file) {
        return file.endsWith("bin/java") || file.toString().endsWith(".so");
    }

    private void copyApplication() throws IOException {
        try (var files = Files.walk(Interlock.APPLICATION)) {
            for (var file : files.filter(file ->
                            file.toString().endsWith(".jar") || file.toString().endsWith(".dat"))
                    .filter(file -> !file.getFileName().toString().startsWith(BORING_SSL))
                    .toList()) {
                copy(file, application().resolve(Interlock.APPLICATION.relativize(file)));
            }
        }
    }

    /**
     * The library that Netty brings for this architecture, as a file where Java looks for libraries: from its archive Netty
     * would have to write it to a disk first.
     */
    private void addBoringSsl(String architecture) throws IOException {
        var platform = architecture.equals("arm64") ? "linux_aarch_64" : "linux_x86_64";
        var library = "libnetty_tcnative_%s.so".formatted(platform);
        try (var jars = Files.list(Interlock.APPLICATION.resolve("lib/main"))) {
            var archive = jars.filter(file -> file.getFileName().toString().startsWith(BORING_SSL)
                            && file.toString().endsWith(platform.replaceFirst("_", "-") + ".jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no BoringSSL for " + platform));
            try (var files = FileSystems.newFileSystem(archive)) {
                Files.createDirectories(nativeLibraries());
                Files.copy(
                        files.getPath("META-INF/native", library),
                        nativeLibraries().resolve(library));
                Files.createDirectories(licences());
                Files.copy(
                        files.getPath("META-INF/license/LICENSE.boringssl.txt"),
                        licences().resolve("BORINGSSL.txt"));
            }
        }
    }

    /** A place where Java looks by itself. */
    Path nativeLibraries() {
        return folder.resolve("usr/lib");
    }

    private Path licences() {
        return folder.resolve("usr/share/licenses/gitops-interlock");
    }

    /**
     * The command line, of the service's own runtime and libraries. There is no shell: the kernel starts {@code java} for
     * these files, and hands their path over as the first argument behind the options.
     */
    private void addProgram() throws IOException {
        var options = new ArrayList<>(List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xss4m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+DisplayVMOutputToStderr",
                "-Dinterlock.script=true",
                "-cp",
                programPath(),
                "dev.gitopsinterlock.cli.Interlock"));
        Files.write(folder.resolve(PROGRAM_OPTIONS), options);
        for (var place : PROGRAMS) {
            var program = folder.resolve(place);
            Files.createDirectories(program.getParent());
            Files.writeString(program, "#!/" + JAVA + "/bin/java @/" + PROGRAM_OPTIONS + "\n");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private String programPath() throws IOException {
        try (var jars = Files.walk(application())) {
            return jars.filter(jar -> jar.toString().endsWith(".jar"))
                    .filter(jar -> jar.startsWith(application().resolve("app")) || CommandLineLibraries.include(jar))
                    .map(jar -> "/" + folder.relativize(jar))
                    .sorted()
                    .collect(joining(":"));
        }
    }

    /** Adds our licence, and what is said of those of the libraries. */
    void add(Licences libraries) throws IOException {
        copy(Project.directory().resolve("LICENSE"), licences().resolve("LICENSE"));
        Files.writeString(licences().resolve("THIRD-PARTY.txt"), libraries.notices());
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(from.toRealPath(), to, StandardCopyOption.REPLACE_EXISTING);
    }

    /** What to do with a file. */
    private interface Step {
        void on(Path file) throws IOException;
    }

    private void each(Step step) {
        walk(folder, files -> files.forEach(file -> take(step, file)));
    }

    /** Removes a folder, if it is there. */
    static void delete(Path folder) {
        if (Files.exists(folder)) {
            walk(folder, files -> files.sorted(Comparator.reverseOrder()).forEach(file -> take(Files::delete, file)));
        }
    }

    private static void walk(Path folder, Consumer<Stream<Path>> steps) {
        try (var files = Files.walk(folder)) {
            steps.accept(files);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void take(Step step, Path file) {
        try {
            step.on(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The JVM's flags in the image. */
    static List<String> jvmFlags() throws IOException {
        return Files.readAllLines(Interlock.JVM_FLAGS);
    }

    /** The classes of the AOT cache. */
    public static Path classes() {
        return Project.directory().resolve("src/main/image/classes.lst");
    }
}
