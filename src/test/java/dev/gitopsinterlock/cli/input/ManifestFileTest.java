package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a look at a file's text tells. */
class ManifestFileTest {

    /** More than one side asks, and a bundle may be large. */
    @Test
    void isParsedOnceForKindsOfCustomResources() {
        var file = ManifestFile.of("a.yaml", "a.yaml", "apiVersion: example.com/v1\nkind: Thing\n".getBytes(UTF_8));

        assertThat(file.customKinds()).containsExactly("Thing").isSameAs(file.customKinds());
    }
}
