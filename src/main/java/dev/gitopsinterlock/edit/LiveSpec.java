package dev.gitopsinterlock.edit;

import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.patch.JsonPatch;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.List;

/**
 * Answers that put the live spec back.
 *
 * <p>Whatever was done, the submitted spec must not come before the API server's own validation. After a replacement the
 * API server then tries to store the answer over an object that is gone, fails, reads the new one and asks again.
 */
final class LiveSpec {

    private LiveSpec() {}

    /** With an annotation, so that there is something to store. */
    static JsonPatch with(Change change, String annotation, String value) {
        return putBack(change).set(OurMetadata.annotation(annotation), value).patch();
    }

    /**
     * For a dry run. Tools that compare before they apply must see that there is something to do; Argo CD's
     * server-side diff looks only at what it owns.
     */
    static JsonPatch withDrift(Change change, String annotation, String value) {
        var answer = putBack(change).set(OurMetadata.annotation(annotation), value);
        if (seesDrift(change)) {
            var tracking = OurMetadata.annotation(ToolMetadata.ARGO_TRACKING);
            answer.set(tracking, answer.object().at(tracking).asText() + "#" + annotation);
        }
        return answer.patch();
    }

    /** Whether Argo CD's server-side diff would see it. */
    static boolean seesDrift(Change change) {
        var owners = change.after().path("metadata").path("managedFields");
        return ManagedFieldsEntries.applies(owners, change.manager().name(), ToolMetadata.ARGO_TRACKING);
    }

    /** Puts back the fields of the spec that these paths are in, and no other. */
    static void keep(Change change, PatchBuilder submitted, List<FieldPath> paths) {
        for (var path : paths) {
            var field = PatchBuilder.at("spec", path.steps().get(1).name());
            var live = change.before().at(field);
            if (live.isMissingNode()) {
                submitted.remove(field);
            } else {
                submitted.set(field, live);
            }
        }
    }

    private static PatchBuilder putBack(Change change) {
        return new PatchBuilder(change.after())
                .set(PatchBuilder.at("spec"), change.before().path("spec"));
    }
}
