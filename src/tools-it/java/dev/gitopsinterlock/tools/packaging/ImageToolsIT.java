package dev.gitopsinterlock.tools.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gitopsinterlock.build.image.ImageArchive;
import dev.gitopsinterlock.build.image.ImageBuild;
import dev.gitopsinterlock.build.image.ImageMeasurement;
import dev.gitopsinterlock.build.image.ImageRoot;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.client.Podman;
import dev.gitopsinterlock.testing.client.RootFileSystem;
import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image as it ships; built first, where {@code make image} has not built it from this package. */
class ImageToolsIT {

    private static final int SOME_USER = 1_000_700_000;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ImageRoot ROOT = new ImageRoot(ImageBuild.FOLDER.resolve("root"));

    @BeforeAll
    static void build() throws Exception {
        if (!ImageBuild.isCurrent()) {
            var chart = Files.readString(Project.directory().resolve("helm/gitops-interlock/Chart.yaml"));
            var version = Trees.fromYaml(chart).path("appVersion").asText();
            ImageBuild.main(new String[] {version, "2026-01-01T00:00:00Z", "native"});
        }
    }

    @Test
    void saysUnderWhichLicencesItIs() throws Exception {
        var licences = ROOT.folder().resolve("usr/share/licenses/gitops-interlock");
        var labels = JSON.readTree(ImageArchive.config(ImageBuild.ARCHIVE)).at("/config/Labels");

        assertThat(licences.resolve("LICENSE"))
                .hasSameTextualContentAs(Project.directory().resolve("LICENSE"));
        assertThat(licences.resolve("THIRD-PARTY.txt")).content().contains("io.quarkus:quarkus-core:");
        assertThat(labels.path("org.opencontainers.image.licenses").asText()).isEqualTo("Apache-2.0");
    }

    /** In its own files, which are read-only, by a user that it does not know. The JVM is told to insist on the cache. */
    @Test
    void servesAsAnyUserFromReadOnlyFilesWithItsAotCache() throws IOException {
        var root = new RootFileSystem(ROOT.folder());
        assumeTrue(root.canBeEntered(), "the image is not started: unshare and chroot are not allowed here");
        var entrypoint = ImageMeasurement.entrypoint();
        System.out.println("the image runs as an unpacked root file system, read-only, as "
                + (RootFileSystem.canChooseUser() ? "user " + SOME_USER + " and group 0" : "root of a user namespace"));
        try (var interlock = Interlock.serving(MountedSecret.create().directory())
                .in(mounts -> root.reading(SOME_USER, mounts, entrypoint))
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .withJvmFlag("-XX:AOTMode=on")
                // as the JVM finds it in a container with the chart's limit: the heap would begin with 8 MB
                .withJvmFlag("-XX:MaxRAM=256m")
                .withJvmFlag("-Xlog:class+load")
                .start()) {
            var answer = interlock.ask(ReviewCase.named("wholeReviewFromArgoCd"));

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"guidance\":\"ArgoCdJobEdit\"");
            assertThat(interlock.get("/q/health/ready").statusCode()).isEqualTo(200);
            var process = Path.of("/proc/" + interlock.process().pid());
            assertThat(Files.readAllLines(process.resolve("mountinfo")))
                    .anyMatch(line -> line.contains(" / / ro") || line.contains("/root / ro"));
            assertThat(Files.readString(process.resolve("maps"))).contains("/usr/lib/libnetty_tcnative_linux_");
            assertThat(interlock.log()).doesNotContain("TLS is done by Java").doesNotContain("WARNING:");
            if (RootFileSystem.canChooseUser()) {
                assertThat(Files.readString(process.resolve("status")))
                        .containsPattern("Uid:\\s" + SOME_USER + "\\s")
                        .containsPattern("Gid:\\s0\\s")
                        .containsPattern("CapEff:\\s0+\n");
            }
            assertThat(shareOfClassesFromTheCache(interlock.log()))
                    .as("share of classes from the AOT cache; if it has become too old, run: make image-classes")
                    .isGreaterThan(0.95);
        }
    }

    /** Without a shell and without the right to write: by the kernel, in the service's own Java runtime. */
    @Test
    void hasTheCommandLineToo() throws IOException {
        var root = new RootFileSystem(ROOT.folder());
        assumeTrue(root.canBeEntered(), "the command line is not started: unshare and chroot are not allowed here");
        var change = Project.directory().resolve("src/test/resources/check/argocd");
        var check = Command.run(
                Map.of(),
                root.reading(
                        SOME_USER,
                        Map.of("tmp", change),
                        List.of("/usr/bin/gitops-interlock", "check", "/tmp/base.yaml", "/tmp/target.yaml")));
        var help = Command.run(
                Map.of(),
                root.reading(SOME_USER, Map.of(), List.of("/usr/bin/kubectl-interlock", "explain", "--help")));

        assertThat(check.err()).isEmpty();
        assertThat(check.out() + "exit code " + check.exitCode() + "\n")
                .isEqualTo(Files.readString(change.resolve("expected.txt")).replace("target.yaml", "/tmp/target.yaml"));
        assertThat(help.out()).startsWith("Usage: kubectl interlock explain");
    }

    /** The service starts without it. */
    @Test
    void theAotCacheHasNoClassOfTheCommandLine() throws IOException {
        assertThat(Files.readAllLines(ImageRoot.classes()))
                .hasSizeGreaterThan(1000)
                .noneMatch(line -> line.contains("gitopsinterlock/cli/") || line.startsWith("picocli/"));
    }

    /** The same by a container engine, from the archive, and its end: the delay of the shutdown is that of the image. */
    @Test
    void servesInAContainerAndEndsInPeace() {
        var podman = Podman.find().orElse(null);
        assumeTrue(podman != null, "the image is not started in a container: there is no podman here");
        var image = podman.load(ImageBuild.ARCHIVE);
        try {
            var obstacle = podman.obstacle(image);
            assumeTrue(obstacle.isEmpty(), () -> "the image is not started in a container: " + obstacle.orElseThrow());
            var interlock = Interlock.serving(MountedSecret.create().directory())
                    .in(mounts -> podman.starting(image, SOME_USER, mounts))
                    .with("gitops-interlock.jobs.allow-overrides", "false")
                    .with("quarkus.shutdown.delay", "1s")
                    .withJvmFlag("-XX:AOTMode=on")
                    .start();
            try (interlock) {
                var answer = interlock.ask(ReviewCase.named("wholeReviewFromArgoCd"));

                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).contains("\"guidance\":\"ArgoCdJobEdit\"");
            }
            assertThat(interlock.log()).contains("gitops-interlock stopped in");
        } finally {
            podman.remove(image);
        }
    }

    private static double shareOfClassesFromTheCache(String log) {
        var loaded = log.lines()
                .filter(line -> line.contains("[class,load]") && line.contains("source:"))
                // the JVM makes some of its own up, with an address in their names
                .filter(line -> !line.contains("/0x"))
                .toList();
        return loaded.stream()
                        .filter(line -> line.contains("shared objects file"))
                        .count()
                / (double) loaded.size();
    }

    @Test
    void isNotRunAsRoot() throws IOException {
        assertThat(JSON.readTree(ImageArchive.config(ImageBuild.ARCHIVE))
                        .path("config")
                        .path("User")
                        .asText())
                .isEqualTo("65532:65532");
    }

    @Test
    void packsTheSameFilesToTheSameBytes(@TempDir Path folder) throws Exception {
        var archives = new ArrayList<Path>();
        for (var files : List.of(List.of("opt/java/b", "etc/a"), List.of("etc/a", "opt/java/b"))) {
            var root = new ImageRoot(folder.resolve("root" + archives.size()));
            for (var file : files) {
                var path = root.folder().resolve(file);
                Files.createDirectories(path.getParent());
                Files.writeString(path, file);
            }
            archives.add(folder.resolve(archives.size() + ".tar"));
            ImageBuild.pack(root, "amd64", archives.getLast(), "1", Instant.EPOCH);
        }

        assertThat(Files.mismatch(archives.getFirst(), archives.getLast())).isEqualTo(-1);
    }

    @Test
    void hasNoTimesAndOwnersOfTheBuild() throws IOException {
        assertThat(ImageArchive.entries(ImageBuild.ARCHIVE))
                .hasSizeGreaterThan(100)
                .allSatisfy(entry -> {
                    assertThat(entry.getLastModifiedTime().toInstant())
                            .as(entry.getName())
                            .isEqualTo(ImageRoot.TIME);
                    assertThat(entry.getLongUserId() + entry.getLongGroupId())
                            .as(entry.getName())
                            .isZero();
                    assertThat(entry.getUserName() + entry.getGroupName())
                            .as(entry.getName())
                            .isEmpty();
                    assertThat(Integer.toOctalString(entry.getMode() & 0777))
                            .as(entry.getName())
                            .isIn("755", "644");
                });
    }

    @Test
    void theBillOfMaterialsNamesEveryLibrary() throws IOException {
        var listed = new HashSet<String>();
        var names = new HashSet<String>();
        for (var component :
                JSON.readTree(ImageBuild.BILL_OF_MATERIALS.toFile()).path("components")) {
            var name = component.path("name").asText();
            names.add(name);
            listed.add(component.path("group").asText() + "." + name + "-"
                    + component.path("version").asText());
        }
        try (var libraries = Files.walk(ROOT.application().resolve("lib"))) {
            assertThat(libraries.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".jar")))
                    .hasSizeGreaterThan(100)
                    .allSatisfy(library -> assertThat(listed).anyMatch(library::startsWith));
        }
        assertThat(names).contains("java-runtime").containsAnyOf("libc6", "glibc");
        assertThat(Files.readString(ImageBuild.FOLDER.resolve("digest"), UTF_8)).matches("sha256:[0-9a-f]{64}\n");
    }

    /** A scanner finds no vulnerability in what it does not see. */
    @Test
    @RequiresTools("syft")
    void aScannerSeesTheDistributionThePackagesAndTheLibraries() {
        assumeTrue(
                Files.exists(ROOT.folder().resolve("etc/os-release")),
                "not scanned: the libraries of this machine are of no Debian package");
        var scan = Command.run(
                        Map.of("SYFT_CHECK_FOR_APP_UPDATE", "false"),
                        List.of(Tool.program("syft"), "scan", "docker-archive:" + ImageBuild.ARCHIVE, "-o", "json"))
                .orFail();
        var seen = Trees.json(scan.out().getBytes(UTF_8));

        assertThat(seen.at("/distro/id").asText()).isIn("debian", "ubuntu");
        assertThat(seen.path("artifacts")
                        .valueStream()
                        .filter(one -> one.path("type").asText().equals("deb")))
                .anyMatch(one -> one.path("name").asText().equals("libc6")
                        && one.path("purl").asText().contains("upstream=glibc"));
        assertThat(seen.path("artifacts").findValuesAsText("name")).contains("quarkus-core", "openjdk");
    }
}
