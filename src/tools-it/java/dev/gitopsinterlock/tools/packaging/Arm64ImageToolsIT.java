package dev.gitopsinterlock.tools.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.build.image.ImageBuild;
import dev.gitopsinterlock.testing.client.RootFileSystem;
import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The image for arm64 on a machine of another architecture, where qemu runs it; only {@code make test-arm64} does so. */
class Arm64ImageToolsIT {

    private static final int SOME_USER = 1_000_700_000;
    private static final Path QEMU = Path.of("/usr/bin/qemu-aarch64-static");
    private static final Path FOLDER = ImageBuild.folder("arm64");
    private static final Path ROOT = FOLDER.resolve("root");
    private static final Path LENT = ROOT.resolve("qemu");

    @BeforeAll
    static void lendQemu() throws IOException {
        assumeTrue(
                Files.exists(FOLDER.resolve("digest")), "there is no image for arm64; build it with: make image-arm64");
        Files.copy(QEMU, LENT, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
    }

    @AfterAll
    static void takeQemuBack() throws IOException {
        Files.deleteIfExists(LENT);
    }

    @Test
    void servesAsAnyUserFromReadOnlyFilesWithItsAotCache() throws IOException {
        var program = new ArrayList<>(List.of("/qemu"));
        Trees.json(Files.readAllBytes(FOLDER.resolve("config.json")))
                .at("/config/Entrypoint")
                .forEach(word -> program.add(word.asText()));
        try (var interlock = Interlock.serving(MountedSecret.create().directory())
                .in(mounts -> new RootFileSystem(ROOT).reading(SOME_USER, mounts, program))
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .withJvmFlag("-XX:AOTMode=on")
                .withJvmFlag("-XX:MaxRAM=256m")
                .start()) {
            var answer = interlock.ask(ReviewCase.named("wholeReviewFromArgoCd"));

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).contains("\"guidance\":\"ArgoCdJobEdit\"");
            assertThat(interlock.get("/q/health/ready").statusCode()).isEqualTo(200);
            assertThat(interlock.log())
                    .as("BoringSSL's library for this architecture is there")
                    .doesNotContain("TLS is done by Java");
        }
    }

    @Test
    void isThatOfItsArchitecture() throws IOException {
        assertThat(Trees.json(Files.readAllBytes(FOLDER.resolve("config.json")))
                        .path("architecture")
                        .asText())
                .isEqualTo("arm64");
        assertThat(Project.directory().resolve(ROOT).resolve("var/lib/dpkg/status.d"))
                .isDirectoryContaining(file -> file.endsWith("openjdk-25-jre-headless"))
                .isDirectoryContaining(file -> file.endsWith("libc6"));
    }
}
