package dev.gitopsinterlock.system.install;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.build.image.ImageArchive;
import dev.gitopsinterlock.build.image.ImageBuild;
import dev.gitopsinterlock.testing.run.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** The image in {@code target/image}. */
final class Image {

    private Image() {}

    /** Skips a test whose Jobs have more to run than the test bed's own shell. */
    static void assumeBusybox() {
        assumeTrue(
                Command.run(Map.of(), List.of("sh", "-c", "command -v busybox")).exitCode() == 0,
                "Jobs have no programs to run; apt-get install busybox-static");
    }

    /** Its name and tag. */
    static String name() {
        try {
            return ImageArchive.name(ImageBuild.ARCHIVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
