package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.argocd.ArgoCdHook;
import dev.gitopsinterlock.argocd.ArgoCdKeys;
import dev.gitopsinterlock.argocd.SyncOptions;
import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.SentEdit;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.Treatment;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Argo CD's application controller. */
public final class ArgoCd {

    private static final Set<String> BINDINGS = Set.of("RoleBinding", "ClusterRoleBinding");

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("ArgoCdJobEdit");
    private static final GuidanceCode SERVER_SIDE_APPLY_JOB_EDIT = new GuidanceCode("ArgoCdServerSideApplyJobEdit");
    private static final GuidanceCode REPLACE_WITHOUT_FORCE = new GuidanceCode("ArgoCdReplaceWithoutForce");
    private static final GuidanceCode HOOK_JOB_EDIT = new GuidanceCode("ArgoCdHookJobEdit");
    private static final GuidanceCode OWNED_JOB_EDIT = new GuidanceCode("ArgoCdOwnedJobEdit");

    /** What an installation tracks by whose {@code application.instanceLabelKey} is no longer the one that charts set. */
    private static final String INSTANCE = "argocd.argoproj.io/instance";

    private static final Mark TRACKED = new Mark(
            "annotation `" + ToolMetadata.ARGO_TRACKING + "` that ends with `/<Kind>:<namespace>/<name>` of the object"
                    + " itself; one that names another object was copied from there and does not count. Without one, label `"
                    + INSTANCE + "`",
            ArgoCd::isTracked);

    private static final Map<String, Fix> FIXES = Map.of(
            JOB_EDIT.token(),
            options("Force=true"),
            SERVER_SIDE_APPLY_JOB_EDIT.token(),
            options("ServerSideApply=false", "Force=true"),
            REPLACE_WITHOUT_FORCE.token(),
            options("Force=true", "Replace=true"),
            HOOK_JOB_EDIT.token(),
            new Fix(ArgoCdKeys.HOOK_DELETE_POLICY, List.of("BeforeHookCreation")));

    public static final ToolProfile PROFILE = ToolProfile.named("Argo CD", "argocd")
            .sendsAgainBy("sync again")
            .knownBy(
                    Sign.accountEndingIn("argocd-application-controller"),
                    Sign.account(Requester.ARGO_CD_REMOTE),
                    Sign.pod("argocd-application-controller"),
                    Sign.manager("argocd-controller"),
                    // sent without a field manager (Replace=true), so the API server took the program's name
                    Sign.manager("argocd-application-controller"))
            .owns(new Ownership(TRACKED, OWNED_JOB_EDIT))
            .claims("argocd.argoproj.io", "app.kubernetes.io/instance")
            .reconciles()
            .isObserved()
            .delivers(Delivery.by("Argo CD", "argocd-controller", Method.UPDATE)
                    .shownBy(manifest -> manifest.hasAnnotationOf(ArgoCdKeys.DOMAIN))
                    .sendingBy(ArgoCd::method)
                    .treating((manifest, live) -> treatment(manifest))
                    .applying((file, object) -> ArgoCdFolders.of(object))
                    .fixedBy(FIXES))
            .advises(ArgoCd::choose, JOB_EDIT, SERVER_SIDE_APPLY_JOB_EDIT, REPLACE_WITHOUT_FORCE, HOOK_JOB_EDIT);

    private ArgoCd() {}

    private static Fix options(String... words) {
        return new Fix(ArgoCdKeys.SYNC_OPTIONS, List.of(words));
    }

    private static Method method(ToolMetadata manifest) {
        return SyncOptions.of(manifest.annotation(ArgoCdKeys.SYNC_OPTIONS)).serverSideApply()
                ? Method.APPLY
                : Method.UPDATE;
    }

    /** As far as the object's kind and annotations decide it. Options of the Application are not known here. */
    private static Treatment treatment(ToolMetadata manifest) {
        var options = SyncOptions.of(manifest.annotation(ArgoCdKeys.SYNC_OPTIONS));
        if (BINDINGS.contains(manifest.object().path("kind").asText())
                && !options.replace()
                && !options.serverSideApply()) {
            // by the way of kubectl auth reconcile, before it applies them
            return Treatment.NOT_EDITED;
        }
        var hook = ArgoCdHook.of(manifest.object(), true);
        if (hook.isArgoCds()) {
            if (!hook.runsInASync()) {
                return Treatment.NOT_EDITED;
            }
            // patched where the Job of an earlier run was left over
            return hook.isStoppedByALeftover() ? Treatment.EDITED_IF_LEFT_OVER : Treatment.NOT_EDITED;
        }
        if (options.force() && (options.replace() || !options.serverSideApply())) {
            return Treatment.NOT_EDITED;
        }
        return options.replace() ? Treatment.PUT : Treatment.EDITED;
    }

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
        var id = marks.annotation(ToolMetadata.ARGO_TRACKING);
        return id.isEmpty()
                ? marks.hasLabel(INSTANCE)
                : id.endsWith("/%s:%s/%s"
                        .formatted(
                                object.path("kind").asText(), ObjectMeta.namespace(object), ObjectMeta.name(object)));
    }
}
