package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.Denial;
import java.util.LinkedHashMap;
import java.util.Map;

/** A denial of an edit that the API server would refuse as immutable: what log, metric and audit say of it. */
public interface RefusedEdit extends Denial {

    /** What is advised. */
    GuidanceCode code();

    /** Who sent the edit. */
    Recipient requester();

    /** The object, and its fields that cannot change. */
    RefusedFields refused();

    @Override
    default String token() {
        return "immutable";
    }

    @Override
    default Map<String, String> labels() {
        return Map.of("code", code().token(), "tool", requester().label());
    }

    @Override
    default Map<String, String> auditAnnotations() {
        var annotations = new LinkedHashMap<String, String>();
        annotations.put("guidance", code().token());
        annotations.put("requester", requester().label());
        return annotations;
    }

    @Override
    default String summary() {
        return "denied: code=%s fields=%s".formatted(code().token(), refused().logged());
    }

    @Override
    default boolean isRepeated() {
        return false;
    }
}
