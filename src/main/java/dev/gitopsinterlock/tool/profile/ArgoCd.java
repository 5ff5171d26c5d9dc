package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.SentEdit;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;

/** Argo CD's application controller. */
public final class ArgoCd {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("ArgoCdJobEdit");
    private static final GuidanceCode SERVER_SIDE_APPLY_JOB_EDIT = new GuidanceCode("ArgoCdServerSideApplyJobEdit");
    private static final GuidanceCode REPLACE_WITHOUT_FORCE = new GuidanceCode("ArgoCdReplaceWithoutForce");
    private static final GuidanceCode HOOK_JOB_EDIT = new GuidanceCode("ArgoCdHookJobEdit");
    private static final GuidanceCode OWNED_JOB_EDIT = new GuidanceCode("ArgoCdOwnedJobEdit");

    private static final Mark TRACKING_ID = new Mark(
            "annotation `" + ToolMetadata.ARGO_TRACKING + "` that ends with `/<Kind>:<namespace>/<name>` of the object"
                    + " itself; one that names another object was copied from there and does not count",
            ArgoCd::isTracked);

    public static final ToolProfile PROFILE = ToolProfile.named("Argo CD", "argocd")
            .sendsAgainBy("sync again")
            .knownBy(
                    Sign.accountEndingIn("argocd-application-controller"),
                    Sign.account(Requester.ARGO_CD_REMOTE),
                    Sign.pod("argocd-application-controller"),
                    Sign.manager("argocd-controller"),
                    // sent without a field manager (Replace=true), so the API server took the program's name
                    Sign.manager("argocd-application-controller"))
            .owns(new Ownership(TRACKING_ID, OWNED_JOB_EDIT))
            .claims("argocd.argoproj.io", "app.kubernetes.io/instance")
            .reconciles()
            .isObserved()
            .advises(ArgoCd::choose, JOB_EDIT, SERVER_SIDE_APPLY_JOB_EDIT, REPLACE_WITHOUT_FORCE, HOOK_JOB_EDIT);

    private ArgoCd() {}

    private static GuidanceCode choose(SentEdit edit) {
        // Argo CD runs Helm's hooks as its own, and knows both kinds of delete policy
        if (edit.marks().isArgoCdHook() || edit.marks().isHelmHook()) {
            return HOOK_JOB_EDIT;
        }
        if (edit.isReplace()) {
            return REPLACE_WITHOUT_FORCE;
        }
        return edit.manager().method() == Method.APPLY ? SERVER_SIDE_APPLY_JOB_EDIT : JOB_EDIT;
    }

    private static boolean isTracked(ToolMetadata marks) {
        var object = marks.object();
        var metadata = object.path("metadata");
        var id = metadata.path("annotations").path(ToolMetadata.ARGO_TRACKING).asText();
        return id.endsWith("/%s:%s/%s"
                .formatted(
                        object.path("kind").asText(),
                        metadata.path("namespace").asText(),
                        metadata.path("name").asText()));
    }
}
