package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.tool.FieldManager;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.Optional;

/**
 * The facts that choose the advice for a Job edit.
 *
 * @param requester which tool sent it
 * @param writer its field manager
 * @param marks of the live Job, which tell its owner
 * @param shape what the edit itself looks like
 */
public record GuidanceSelector(Tool requester, FieldManager writer, ToolMetadata marks, Shape shape) {

    /** What the edit itself looks like, whoever sent it; the first that fits. */
    public enum Shape {
        /** It carries the generated labels of another Job. */
        COPIED_MANIFEST,
        /** Its only offence is that completions of an Indexed Job change without parallelism. */
        COMPLETIONS_ALONE,
        /** A PUT of a manifest, without the selector that the API server generated. */
        REPLACE,
        ORDINARY
    }

    /**
     * The requester decides how to say it, the owner where the fix belongs: what a GitOps controller applies, it
     * owns; for everybody else an owner's mark goes before the way the change came in.
     */
    public GuidanceCode code() {
        return switch (shape) {
            case COPIED_MANIFEST -> GuidanceCode.COPIED_JOB_MANIFEST;
            case COMPLETIONS_ALONE -> GuidanceCode.COMPLETIONS_WITHOUT_PARALLELISM;
            case REPLACE, ORDINARY ->
                foreignOwner().map(GuidanceSelector::ownedBy).orElseGet(this::sentByItsOwner);
        };
    }

    private Optional<Tool> foreignOwner() {
        return requester.reconciles() ? Optional.empty() : marks.owner().filter(owner -> owner != requester);
    }

    private static GuidanceCode ownedBy(Tool owner) {
        return switch (owner) {
            case ARGO_CD, ARGO_CD_UI -> GuidanceCode.ARGO_CD_OWNED_JOB_EDIT;
            case FLUX_KUSTOMIZATION, FLUX_HELM_RELEASE -> GuidanceCode.FLUX_OWNED_JOB_EDIT;
            case FLEET -> GuidanceCode.FLEET_OWNED_JOB_EDIT;
            case HELM -> GuidanceCode.HELM_OWNED_JOB_EDIT;
            case KAPP -> GuidanceCode.KAPP_OWNED_JOB_EDIT;
            case KUBECTL, OC, UNKNOWN -> GuidanceCode.JOB_EDIT;
        };
    }

    private GuidanceCode sentByItsOwner() {
        return switch (requester) {
            case ARGO_CD -> argoCd();
            case FLUX_KUSTOMIZATION -> GuidanceCode.FLUX_KUSTOMIZATION_JOB_EDIT;
            case FLUX_HELM_RELEASE -> helmHookOr(GuidanceCode.FLUX_HELM_RELEASE_JOB_EDIT);
            case FLEET -> helmHookOr(GuidanceCode.FLEET_JOB_EDIT);
            case HELM -> helmHookOr(isReplace() ? GuidanceCode.HELM_FORCE_JOB_EDIT : GuidanceCode.HELM_JOB_EDIT);
            case KAPP -> GuidanceCode.KAPP_JOB_EDIT;
            case KUBECTL, OC -> kubectl();
            case ARGO_CD_UI, UNKNOWN -> GuidanceCode.JOB_EDIT;
        };
    }

    private GuidanceCode argoCd() {
        // Argo CD runs Helm's hooks as its own, and knows both kinds of delete policy
        if (marks.isArgoCdHook() || marks.isHelmHook()) {
            return GuidanceCode.ARGO_CD_HOOK_JOB_EDIT;
        }
        if (isReplace()) {
            return GuidanceCode.ARGO_CD_REPLACE_WITHOUT_FORCE;
        }
        return writer.method() == Method.APPLY
                ? GuidanceCode.ARGO_CD_SERVER_SIDE_APPLY_JOB_EDIT
                : GuidanceCode.ARGO_CD_JOB_EDIT;
    }

    private GuidanceCode helmHookOr(GuidanceCode otherwise) {
        return marks.isHelmHook() ? GuidanceCode.HELM_HOOK_JOB_EDIT : otherwise;
    }

    private GuidanceCode kubectl() {
        if (isReplace() || writer.manager().endsWith("-replace")) {
            return GuidanceCode.KUBECTL_REPLACE_JOB_EDIT;
        }
        if (writer.manager().endsWith("-client-side-apply")) {
            return GuidanceCode.KUBECTL_APPLY_JOB_EDIT;
        }
        return writer.method() == Method.APPLY
                ? GuidanceCode.KUBECTL_SERVER_SIDE_APPLY_JOB_EDIT
                : GuidanceCode.KUBECTL_LIVE_JOB_EDIT;
    }

    private boolean isReplace() {
        return shape == Shape.REPLACE;
    }
}
