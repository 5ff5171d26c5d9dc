package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.Denial;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A denial of an edit that the API server would refuse as immutable: what log, metric and audit say of it. */
public interface RefusedEdit extends Denial {

    /** What is advised. */
    GuidanceCode code();

    /** Who sent the edit. */
    Recipient requester();

    /** The object, and its fields that cannot change. */
    RefusedFields refused();

    /** What would have become of it under Replace, where the policy asks for that. */
    Optional<Preview> preview();

    /** The same with a preview. */
    RefusedEdit with(Preview preview);

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
        preview().ifPresent(preview -> annotations.put("preview", preview.token()));
        return annotations;
    }

    @Override
    default String summary() {
        return "denied: code=%s fields=%s%s"
                .formatted(
                        code().token(),
                        refused().logged(),
                        preview().map(preview -> " preview=" + preview.token()).orElse(""));
    }

    @Override
    default Optional<String> previewToken() {
        return preview().map(Preview::token);
    }

    @Override
    default boolean isRepeated() {
        return false;
    }
}
