package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The manifests of certs/, for an install without Helm, are what the chart renders. {@code -Dgolden.update=true} writes
 * them anew; read the difference before committing it.
 */
class CertsToolsIT {

    private static final Path CERTS = Project.directory().resolve("certs");
    private static final String HEADER = "# What the chart renders by default; `make certs` writes it anew.\n";

    @Test
    void certificatesAreThoseOfTheChart() {
        var rendered = Rendering.split(Rendering.of().yaml())
                .filter(document -> document.contains("\napiVersion: cert-manager.io/"))
                .map(Rendering::withoutHelm)
                .collect(joining("---\n", HEADER, ""));

        GoldenFiles.compare(CERTS.resolve("cert-manager.yaml"), rendered, "make certs");
        assertThat(rendered).contains("kind: Issuer", "kind: Certificate");
    }

    /** The annotation by which cert-manager writes its CA into the registrations. */
    @Test
    void injectionIsThatOfTheChart() throws IOException {
        var patch = Trees.fromYaml(Files.readString(CERTS.resolve("injection.yaml")));

        assertThat(Stream.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
                        .map(kind -> Rendering.of().object(kind).at("/metadata/annotations")))
                .hasSize(2)
                .containsOnly(patch.at("/metadata/annotations"));
    }
}
