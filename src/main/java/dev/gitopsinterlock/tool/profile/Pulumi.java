package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;
import java.util.Set;

/**
 * Pulumi's kubernetes provider. In pulumi/pulumi-kubernetes, provider/pkg/provider/provider.go names its field manager
 * (fieldManagerName), provider/pkg/provider/diff.go lists what makes it replace an object by itself, and
 * provider/pkg/await/await.go sends the rest as an update.
 */
public final class Pulumi {

    /** The kinds of that list: what of them cannot change, it replaces; few fields of them are missing there. */
    private static final Set<String> REPLACED = Set.of(
            "Job",
            "StatefulSet",
            "Deployment",
            "DaemonSet",
            "PersistentVolumeClaim",
            "PersistentVolume",
            "RoleBinding",
            "ClusterRoleBinding",
            "StorageClass",
            "ConfigMap",
            "Secret");

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("PulumiJobEdit");

    public static final ToolProfile PROFILE = ToolProfile.named("Pulumi", "pulumi")
            .sendsAgainBy("run pulumi up --refresh")
            .knownBy(Sign.program("pulumi-kubernetes"))
            .bringsBack(Return.WITH_A_CHANGE)
            .delivers(Delivery.by("Pulumi", "pulumi-kubernetes", Method.APPLY)
                    .notEditing(manifest ->
                            REPLACED.contains(manifest.object().path("kind").asText())))
            .advises(JOB_EDIT);

    private Pulumi() {}
}
