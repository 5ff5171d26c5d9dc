package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;

/**
 * Crossplane's provider-kubernetes. In crossplane-contrib/provider-kubernetes 1.2.1,
 * internal/controller/namespaced/object/syncer.go applies what an Object holds server-side, as
 * {@code provider-kubernetes/<object>}, first as a dry run, and leaves no other mark. Without server-side apply it patches
 * without a field manager, so the API server takes the program's name (cluster/images/provider-kubernetes/Dockerfile).
 */
public final class Crossplane {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("CrossplaneJobEdit");
    private static final String MANAGER = "provider-kubernetes/";

    private static final Mark APPLIED =
            new Mark("field manager `" + MANAGER + "*` in `metadata.managedFields`", Crossplane::isApplied);

    public static final ToolProfile PROFILE = ToolProfile.named("Crossplane's provider-kubernetes", "crossplane")
            .sendsAgainBy("let the provider apply the Object again")
            .knownBy(Sign.managerBeginningWith(MANAGER), Sign.manager("crossplane-kubernetes-provider"))
            .owns(new Ownership(APPLIED, JOB_EDIT))
            .reconciles()
            .delivers(Delivery.by("Crossplane", MANAGER, Method.APPLY))
            .advises(JOB_EDIT);

    private Crossplane() {}

    private static boolean isApplied(ToolMetadata marks) {
        return marks.object()
                .path("metadata")
                .path("managedFields")
                .valueStream()
                .anyMatch(entry -> entry.path("manager").asText().startsWith(MANAGER));
    }
}
