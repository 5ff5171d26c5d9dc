package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.Difference.Kind;
import dev.gitopsinterlock.immutability.Mutability;

/** When a field of a kind beside Job may change after all. */
enum Fixed {
    /** Never. */
    NEVER,
    /** As long as the object is not marked {@code immutable}. */
    UNLESS_IMMUTABLE,
    /** The field may be set where it is not. */
    ONCE,
    /** The field may be set where it is not; afterwards by a gate that is off. */
    ONCE_OR_BY_A_GATE,
    /** The field may be set where the server finds that it has been so all along, or where its gate is off. */
    ONCE_PERHAPS,
    /** The server alone says what counts as a change here; with its gate off, nothing does. */
    LEFT_TO_THE_SERVER,
    /** Two fields say the same, and the server puts back the one that is left out. */
    AS_THE_OTHER,
    /** While the claim is bound to a volume; whether the new value will do is said by the server. */
    WHILE_BOUND,
    /** The field may change by a gate while the claim is bound; where that is off the field is dropped. */
    WHILE_BOUND_BY_A_GATE;

    /**
     * What becomes of a difference at every supported API server.
     *
     * @param before the live object
     */
    Mutability of(Difference difference, JsonNode before) {
        return of(
                difference, before, before.path("status").path("phase").asText().equals("Bound"));
    }

    /**
     * The same of a live object that nobody has looked at: what its manifest does not set, others may have set, and what it
     * sets, a gate that is off may have dropped.
     *
     * @param before as its manifest tells
     * @param isBound whether it is taken for bound
     */
    Mutability imagined(Difference difference, JsonNode before, boolean isBound) {
        var known = of(difference, before, isBound);
        return switch (this) {
            case ONCE_PERHAPS -> Mutability.UNSURE;
            case ONCE, ONCE_OR_BY_A_GATE -> known == Mutability.ACCEPTED ? Mutability.UNSURE : known;
            default -> known;
        };
    }

    private Mutability of(Difference difference, JsonNode before, boolean isBound) {
        return switch (this) {
            case NEVER -> Mutability.REFUSED;
            case UNLESS_IMMUTABLE -> before.path("immutable").asBoolean() ? Mutability.REFUSED : Mutability.ACCEPTED;
            case ONCE -> difference.kind() == Kind.ADDED ? Mutability.ACCEPTED : Mutability.REFUSED;
            case ONCE_OR_BY_A_GATE -> difference.kind() == Kind.ADDED ? Mutability.ACCEPTED : Mutability.UNSURE;
            case ONCE_PERHAPS -> difference.kind() == Kind.ADDED ? Mutability.UNSURE : Mutability.REFUSED;
            case LEFT_TO_THE_SERVER, AS_THE_OTHER -> Mutability.UNSURE;
            case WHILE_BOUND -> isBound ? Mutability.ACCEPTED : Mutability.REFUSED;
            case WHILE_BOUND_BY_A_GATE -> isBound ? Mutability.ACCEPTED : Mutability.UNSURE;
        };
    }
}
