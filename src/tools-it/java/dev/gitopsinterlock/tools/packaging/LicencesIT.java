package dev.gitopsinterlock.tools.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.build.image.Licences;
import dev.gitopsinterlock.build.image.Licences.Library;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether what the image carries may be given away with it. */
class LicencesIT {

    private static final Path BILL = Project.directory().resolve("target/bom.json");

    @Test
    void everyLibraryHasALicenceThatGoesWithOurs() throws IOException {
        assumeTrue(Files.exists(BILL), "the bill of materials is not made: -Daot.skip=true leaves it out");
        var licences = Licences.of(Trees.json(Files.readAllBytes(BILL)));

        assertThat(licences.libraries()).hasSizeGreaterThan(100);
        assertThat(licences.libraries()).allMatch(Library::isCompatible);
    }

    @Test
    void aLibraryWithoutOneOrUnderAnotherIsNoticed() {
        var licences = Licences.of(Trees.json("""
                {'components': [
                  {'group': 'g', 'name': 'none', 'version': '1'},
                  {'group': 'g', 'name': 'other', 'version': '1', 'licenses': [{'license': {'id': 'AGPL-3.0-only'}}]},
                  {'group': 'g', 'name': 'choice', 'version': '1',
                   'licenses': [{'license': {'id': 'AGPL-3.0-only'}}, {'license': {'id': 'MIT'}}]}]}
                """));

        assertThat(licences.libraries())
                .filteredOn(library -> !library.isCompatible())
                .extracting(Library::name)
                .isEqualTo(List.of("g:none:1", "g:other:1"));
    }
}
