package dev.gitopsinterlock.tool.profile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.AppliedFolder;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;
import java.util.List;
import java.util.stream.Stream;

/** Rancher Fleet's agent. */
public final class Fleet {

    private static final String BUNDLE = "fleet.yaml";

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("FleetJobEdit");
    private static final GuidanceCode OWNED_JOB_EDIT = new GuidanceCode("FleetOwnedJobEdit");

    /** k3s, Rancher and other users of the same library add an owner; Fleet does not. */
    private static final Mark OBJECT_SET = new Mark(
            "label `objectset.rio.cattle.io/hash` and annotation `objectset.rio.cattle.io/id`, without annotation"
                    + " `objectset.rio.cattle.io/owner-name` (k3s and Rancher set that one)",
            object -> object.hasLabel("objectset.rio.cattle.io/hash")
                    && object.hasAnnotation("objectset.rio.cattle.io/id")
                    && !object.hasAnnotation("objectset.rio.cattle.io/owner-name"));

    public static final ToolProfile PROFILE = ToolProfile.named("Fleet", "fleet")
            .sendsAgainBy("let Fleet deploy again")
            .knownBy(
                    Sign.accountsIn("cattle-fleet", List.of("fleet-agent", "fleet-default")),
                    Sign.manager("fleetagent"))
            .owns(new Ownership(OBJECT_SET, OWNED_JOB_EDIT))
            .claims("fleet.cattle.io", "objectset.rio.cattle.io")
            .reconciles()
            .delivers(Delivery.by("Fleet", "fleetagent", Method.UPDATE)
                    .notEditing(ToolMetadata::isHelmHook)
                    .applying(Fleet::folders))
            .advises(edit -> edit.marks().isHelmHook() ? Helm.HOOK_JOB_EDIT : JOB_EDIT, JOB_EDIT);

    private Fleet() {}

    /** Of a bundle the folder that its file is in. */
    private static List<AppliedFolder> folders(String file, JsonNode object) {
        if (file.equals(BUNDLE) || file.endsWith("/" + BUNDLE)) {
            var folder = file.substring(0, file.length() - BUNDLE.length());
            return List.of(new AppliedFolder(
                            AppliedFolder.literal(folder),
                            object.path("namespace")
                                    .asText(object.path("defaultNamespace").asText()),
                            "",
                            false)
                    .withValues(Stream.of(object.path("helm")), "values", "valuesFiles", "valuesFrom"));
        }
        return object.path("kind").asText().equals("GitRepo")
                ? object.at("/spec/paths")
                        .valueStream()
                        .map(path -> AppliedFolder.of(path.asText()))
                        .toList()
                : List.of();
    }
}
