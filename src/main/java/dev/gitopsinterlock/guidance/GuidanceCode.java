package dev.gitopsinterlock.guidance;

/**
 * The stable name of an advice: log key, metric label, audit annotation, golden text and page
 * ({@code docs/guidance/<Code>.md}) all carry it, so that one search finds them together.
 */
public enum GuidanceCode {
    ARGO_CD_JOB_EDIT("ArgoCdJobEdit"),
    ARGO_CD_SERVER_SIDE_APPLY_JOB_EDIT("ArgoCdServerSideApplyJobEdit"),
    ARGO_CD_REPLACE_WITHOUT_FORCE("ArgoCdReplaceWithoutForce"),
    ARGO_CD_HOOK_JOB_EDIT("ArgoCdHookJobEdit"),
    ARGO_CD_OWNED_JOB_EDIT("ArgoCdOwnedJobEdit"),
    FLUX_KUSTOMIZATION_JOB_EDIT("FluxKustomizationJobEdit"),
    FLUX_HELM_RELEASE_JOB_EDIT("FluxHelmReleaseJobEdit"),
    FLUX_OWNED_JOB_EDIT("FluxOwnedJobEdit"),
    FLEET_JOB_EDIT("FleetJobEdit"),
    FLEET_OWNED_JOB_EDIT("FleetOwnedJobEdit"),
    HELM_JOB_EDIT("HelmJobEdit"),
    HELM_FORCE_JOB_EDIT("HelmForceJobEdit"),
    HELM_HOOK_JOB_EDIT("HelmHookJobEdit"),
    HELM_OWNED_JOB_EDIT("HelmOwnedJobEdit"),
    KAPP_JOB_EDIT("KappJobEdit"),
    KAPP_OWNED_JOB_EDIT("KappOwnedJobEdit"),
    KUBECTL_APPLY_JOB_EDIT("KubectlApplyJobEdit"),
    KUBECTL_SERVER_SIDE_APPLY_JOB_EDIT("KubectlServerSideApplyJobEdit"),
    KUBECTL_REPLACE_JOB_EDIT("KubectlReplaceJobEdit"),
    KUBECTL_LIVE_JOB_EDIT("KubectlLiveJobEdit"),
    JOB_EDIT("JobEdit"),
    COPIED_JOB_MANIFEST("CopiedJobManifest"),
    COMPLETIONS_WITHOUT_PARALLELISM("CompletionsWithoutParallelism"),
    REPLACE_ACTIVE_JOB("ReplaceActiveJob"),
    REPLACE_JOB_WITH_FINALIZER("ReplaceJobWithFinalizer"),
    REPLACE_JOB_OF_ANOTHER_CONTROLLER("ReplaceJobOfAnotherController"),
    REPLACE_ARGO_CD_HOOK("ReplaceArgoCdHook"),
    RIGHTS_MISSING("RightsMissing"),
    REQUESTER_NOT_IMPERSONATED("RequesterNotImpersonated"),
    NEW_JOB_REFUSED("NewJobRefused"),
    NOT_REPLACED_NOW("NotReplacedNow"),
    RUN_NOT_STARTED("RunNotStarted"),
    OLD_JOB_GONE("OldJobGone"),
    UNKNOWN_POLICY_VALUE("UnknownPolicyValue"),
    ROLLOUT_HELD("RolloutHeld"),
    ROLLOUT_AHEAD("RolloutAhead");

    private final String token;

    GuidanceCode(String token) {
        this.token = token;
    }

    /** Whether it stands for an edit of a Job that is refused. */
    public boolean isJobEdit() {
        return switch (this) {
            case UNKNOWN_POLICY_VALUE, ROLLOUT_HELD, ROLLOUT_AHEAD -> false;
            default -> true;
        };
    }

    /** The PascalCase form, as Kubernetes writes reasons. */
    public String token() {
        return token;
    }
}
