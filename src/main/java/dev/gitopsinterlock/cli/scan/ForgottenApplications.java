package dev.gitopsinterlock.cli.scan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.check.ObjectId;
import dev.gitopsinterlock.check.ScannedObject;
import dev.gitopsinterlock.check.ScannedObject.Advice;
import dev.gitopsinterlock.cli.cluster.PartialReader;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.status.FailedComparisons;
import dev.gitopsinterlock.status.ForgottenSync;
import dev.gitopsinterlock.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Applications of Argo CD that are Synced, perhaps at a commit that was not applied. Blocks. */
public final class ForgottenApplications {

    private static final String CODE = "ArgoCdServerSideApplyJobEdit";

    private ForgottenApplications() {}

    /**
     * Those of a Namespace.
     *
     * @param reader notes what cannot be read
     * @param namespace empty for all of them
     */
    public static List<ScannedObject> in(String namespace, PartialReader reader) {
        var unapplied = new ArrayList<JsonNode>();
        var place = namespace.isEmpty() ? "" : "namespaces/" + namespace + "/";
        reader.list("Applications", "/apis/argoproj.io/v1alpha1/" + place + "applications", application -> {
            if (ForgottenSync.isUnappliedBy(application)) {
                unapplied.add(application);
            }
        });
        var comparisons = new FailedComparisons();
        if (!unapplied.isEmpty()) {
            reader.list("Events", "/apis/events.k8s.io/v1/" + place + "events", comparisons::see);
        }
        return unapplied.stream()
                .flatMap(application ->
                        comparisons.forgottenBy(application).stream().map(forgotten -> scanned(application, forgotten)))
                .toList();
    }

    private static ScannedObject scanned(JsonNode application, ForgottenSync forgotten) {
        var name = forgotten.application();
        return new ScannedObject(
                new ObjectId("argoproj.io", "Application", name.namespace(), name.name()),
                ObjectMeta.uid(application),
                Tool.ARGO_CD,
                Optional.empty(),
                List.of(new Advice(
                        CODE,
                        "Synced, perhaps at a commit that was not applied: a comparison failed, and no sync came of it."
                                + " To see what is refused: " + forgotten.command())));
    }
}
