package dev.gitopsinterlock.system.atlas;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.gitopsinterlock.immutability.Mutability;
import java.util.Locale;

/** What becomes of an edit of a field. */
public enum FieldOutcome {
    ACCEPTED("The API server does not refuse the edit because of this field; it still validates the value."),
    REFUSED("The API server refuses the edit, whatever the value."),
    IGNORED(
            "The API server accepts the edit and leaves the field as it is, because it does not know the field, or the field's"
                    + " feature gate is off by default."),
    DEPENDS(
            "It depends on a patch version, a feature gate, the value, or something else that the object does not show: ask"
                    + " the API server (`--dry-run=server`).");

    private final String sentence;

    FieldOutcome(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    public static FieldOutcome of(Mutability mutability) {
        return switch (mutability) {
            case ACCEPTED -> ACCEPTED;
            case UNSURE -> DEPENDS;
            case REFUSED -> REFUSED;
        };
    }

    /** As the atlas writes it. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
