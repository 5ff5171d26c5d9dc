package dev.gitopsinterlock.system.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The atlas says what the tables and the kept runs say. {@code make atlas} writes it anew. */
class AtlasGoldenTest {

    private static final Path FOLDER = Path.of("docs/immutability");
    private static final Path PAGE = FOLDER.resolve("README.md");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final FieldRuns runs = GoldenFiles.areWritten() ? FieldRuns.read().withLast() : FieldRuns.read();
    private final Atlas atlas = Atlas.of(runs, TaggedField.read());

    @Test
    void thePageAndTheFileSayWhatTheTablesSay() throws IOException {
        GoldenFiles.compare(
                FOLDER.resolve("atlas.json"),
                JSON.writer(new DefaultPrettyPrinter()
                                        .withObjectIndenter(new Outline())
                                        .withArrayIndenter(new Outline()))
                                .writeValueAsString(atlas)
                        + "\n");
        var page = new AtlasPage(atlas, TaggedField.read());
        GoldenFiles.compareSection(PAGE, "words", page.words());
        GoldenFiles.compareSection(PAGE, "edits", page.edits());
        GoldenFiles.compareSection(PAGE, "fields", page.fields());
        GoldenFiles.compareSection(PAGE, "tags", page.tagsOfKinds());
        GoldenFiles.compareSection(PAGE, "tags of other kinds", page.tagsOfOthers());
        GoldenFiles.compareSection(PAGE, "without tags", page.withoutTags());
    }

    @Test
    void noEditTellsOfSomethingElseThanTheTables() {
        var others = atlas.kinds().stream()
                .flatMap(kind -> kind.fields().stream()
                        .flatMap(field -> field.cases().stream()
                                .flatMap(each -> each.kubernetes().entrySet().stream()
                                        .filter(seen -> !seen.getValue().isBorneOut())
                                        .map(seen -> "%s %s, %s: %s"
                                                .formatted(
                                                        kind.kind(),
                                                        field.path(),
                                                        each.when().word(),
                                                        seen)))));

        assertThat(others).isEmpty();
    }

    @Test
    void noEditIsRefusedByUsAlone() {
        var wrong = atlas.kinds().stream()
                .filter(kind -> kind.edits().values().stream().anyMatch(edits -> edits.refusedByUsAlone() > 0))
                .map(Atlas.Kind::kind);

        assertThat(wrong).isEmpty();
    }

    @Test
    void theFileIsAsItsSchemaPromises() throws IOException {
        var file = JSON.readTree(FOLDER.resolve("atlas.json").toFile());

        assertThat(schema().validate(file)).isEmpty();
        var wrong = file.deepCopy();
        ((ObjectNode) wrong.at("/kinds/0/fields/0/cases/0/kubernetes/1.37")).put("effect", "perhaps");
        assertThat(schema().validate(wrong)).as("what no schema of ours allows").isNotEmpty();
    }

    private static JsonSchema schema() throws IOException {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Files.readString(FOLDER.resolve("atlas.schema.json")));
    }

    /** A case of a row is a line, so that a change of one is a line in a diff. */
    private static final class Outline implements DefaultPrettyPrinter.Indenter {

        private static final int DEPTH = 6;

        @Override
        public void writeIndentation(JsonGenerator generator, int level) throws IOException {
            if (level > DEPTH) {
                generator.writeRaw(' ');
            } else {
                DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.writeIndentation(generator, level);
            }
        }

        @Override
        public boolean isInline() {
            return false;
        }
    }
}
