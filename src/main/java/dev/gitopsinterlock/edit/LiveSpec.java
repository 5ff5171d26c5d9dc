package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.patch.JsonPatch;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Answers that put back what the live object has beside its metadata: for most kinds the spec, for some, such as a Secret
 * or a StorageClass, fields beside it.
 *
 * <p>Whatever was done, what was submitted must not come before the API server's own validation. After a replacement the
 * API server then tries to store the answer over an object that is gone, fails, reads the new one and asks again.
 */
final class LiveSpec {

    private static final JsonPointer TRACKING = OurMetadata.annotation(ToolMetadata.ARGO_TRACKING);
    private static final List<String> TRACKING_LABELS =
            List.of("app.kubernetes.io/instance", "argocd.argoproj.io/instance");
    private static final Set<String> ABOUT = Set.of("apiVersion", "kind", "metadata", "status");

    private LiveSpec() {}

    /** With an annotation, so that there is something to store. */
    static JsonPatch with(Change change, String annotation, String value) {
        return putBack(change).set(OurMetadata.annotation(annotation), value).patch();
    }

    /**
     * For a dry run. Tools that compare before they apply must see that there is something to do; Argo CD's
     * Server-Side Diff looks only at what it applied.
     */
    static JsonPatch withDrift(Change change, String annotation, String value) {
        var answer = putBack(change).set(OurMetadata.annotation(annotation), value);
        drift(change)
                .ifPresent(place -> answer.set(
                        place,
                        place.equals(TRACKING)
                                ? answer.object().at(place).asText() + "#" + annotation
                                : annotation.replace('/', '_')));
        return answer.patch();
    }

    /** Whether Argo CD's Server-Side Diff would see it. */
    static boolean seesDrift(Change change) {
        return drift(change).isPresent();
    }

    /**
     * What Argo CD applied and can differ: its tracking annotation, or a label, best the one that it tracks by, because others
     * check the values of theirs.
     */
    private static Optional<JsonPointer> drift(Change change) {
        if (!change.isComparisonOfArgoCd()) {
            return Optional.empty();
        }
        var applied = ManagedFieldsEntries.appliedMetadata(
                change.after().path("metadata").path("managedFields"),
                change.manager().name());
        if (applied.path("f:annotations").has("f:" + ToolMetadata.ARGO_TRACKING)) {
            return Optional.of(TRACKING);
        }
        var labels = applied.path("f:labels")
                .propertyStream()
                .map(Map.Entry::getKey)
                .filter(field -> field.startsWith("f:"))
                .map(field -> field.substring(2))
                .toList();
        return Stream.concat(TRACKING_LABELS.stream().filter(labels::contains), labels.stream())
                .findFirst()
                .map(label -> PatchBuilder.at("metadata", "labels", label));
    }

    /** Puts back the fields of the spec that these paths are in, and no other. */
    static void keep(Change change, PatchBuilder submitted, List<FieldPath> paths) {
        for (var path : paths) {
            var field = PatchBuilder.at("spec", path.steps().get(1).name());
            putBack(submitted, field, change.before());
        }
    }

    private static PatchBuilder putBack(Change change) {
        var answer = new PatchBuilder(change.after());
        differing(change).forEach(field -> putBack(answer, PatchBuilder.at(field), change.before()));
        return answer;
    }

    /** The top-level fields that the change is in, but for what is about the object itself. */
    static Stream<String> differing(Change change) {
        return Stream.concat(change.before().propertyStream(), change.after().propertyStream())
                .map(Map.Entry::getKey)
                .filter(field -> !ABOUT.contains(field)
                        && !change.before().path(field).equals(change.after().path(field)))
                .distinct();
    }

    private static void putBack(PatchBuilder answer, JsonPointer field, JsonNode live) {
        if (live.at(field).isMissingNode()) {
            answer.remove(field);
        } else {
            answer.set(field, live.at(field));
        }
    }
}
