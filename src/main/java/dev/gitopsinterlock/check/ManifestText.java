package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.immutability.FieldPath;
import java.util.Optional;

/** The text that a manifest was read from. */
public interface ManifestText {

    /** The place of a field, or of the nearest one around it that is written down. */
    Place of(FieldPath field);

    /** The line in which a place is, without its end; for people who have the file anyway, never for a report. */
    String line(Place place);

    /** The template of a chart that it was rendered from, as Helm writes it: {@code shop/templates/migrate.yaml}. */
    Optional<String> source();

    /** The tree of a value that is YAML itself, as some annotations are; a missing node where it is none. */
    JsonNode tree(String value);

    /** How to write an annotation into it, keeping everything else; empty where its layout does not allow that. */
    Optional<TextEdit> with(Fix fix);
}
