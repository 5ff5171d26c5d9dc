package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.Fact;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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
    default List<Fact> facts() {
        return Stream.concat(
                        Stream.of(
                                new Fact("code", code().token()),
                                new Fact("fields", refused().logged())),
                        preview().map(preview -> new Fact("preview", preview.token())).stream())
                .toList();
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
