package dev.gitopsinterlock.guidance;

/**
 * The sentence that says what to do, one for each code. Placeholders: {@code {name}} and {@code {namespace}} of the
 * object, {@code {kubectl}} as the requester calls it.
 *
 * <p>Each piece of advice is explained, with what it costs, on the code's page under docs/guidance. It always says
 * what is lost, because it is followed in a hurry.
 */
final class Remedy {

    private static final String RUN_AGAIN = " (old Pods and logs are lost; the Job must be safe to run again).";

    private static final String CHART_OF_OTHERS =
            " (if the chart is somebody else's, by its values or a kustomize patch)";

    private static final String NAME_OR_HOOK =
            "give the Job a name that changes with its content, such as a hash of its template, or, to run it at every"
                    + " upgrade, make it a hook (helm.sh/hook: post-install,post-upgrade with"
                    + " helm.sh/hook-delete-policy: before-hook-creation)";

    private Remedy() {}

    static String of(GuidanceCode code) {
        return switch (code) {
            case ARGO_CD_JOB_EDIT ->
                "Add the annotation argocd.argoproj.io/sync-options: Force=true to the Job in Git" + CHART_OF_OTHERS
                        + ": Argo CD then deletes it and creates it again when it changes" + RUN_AGAIN;
            case ARGO_CD_SERVER_SIDE_APPLY_JOB_EDIT ->
                "Add the annotation argocd.argoproj.io/sync-options: ServerSideApply=false,Force=true to the Job in Git"
                        + CHART_OF_OTHERS + ": Argo CD then deletes it and creates it again when it changes" + RUN_AGAIN
                        + " If the Application shows ComparisonError, delete the Job first: {kubectl} -n {namespace}"
                        + " delete job {name}.";
            case ARGO_CD_REPLACE_WITHOUT_FORCE ->
                "Add the annotation argocd.argoproj.io/sync-options: Force=true,Replace=true to the Job in Git (on the"
                        + " Application, Force has no effect): Replace=true alone is a PUT and never recreates a Job."
                        + " Add the sync option ApplyOutOfSyncOnly=true to the Application, or the Job runs again at"
                        + " every sync" + RUN_AGAIN;
            case ARGO_CD_HOOK_JOB_EDIT ->
                "Let this hook's annotation argocd.argoproj.io/hook-delete-policy contain BeforeHookCreation in Git:"
                        + " Argo CD then deletes the old Job before each run. To get past the one that is left now:"
                        + " {kubectl} -n {namespace} delete job {name}, then sync again" + RUN_AGAIN;
            case ARGO_CD_OWNED_JOB_EDIT ->
                "Make this change in the Git repository that Argo CD deploys the Job from, not in the cluster; with the"
                        + " annotation argocd.argoproj.io/sync-options: Force=true there (ServerSideApply=false,Force=true if the"
                        + " Application uses ServerSideApply), Argo CD runs a changed Job again" + RUN_AGAIN;
            case FLUX_KUSTOMIZATION_JOB_EDIT ->
                "Add the annotation kustomize.toolkit.fluxcd.io/force: enabled to the Job in Git: Flux then deletes it and"
                        + " creates it again when it changes" + RUN_AGAIN;
            case FLUX_HELM_RELEASE_JOB_EDIT ->
                "In the chart, " + NAME_OR_HOOK + "; upgrade.force of the HelmRelease cannot change a Job" + RUN_AGAIN;
            case FLUX_OWNED_JOB_EDIT ->
                "Make this change in the source that Flux deploys the Job from, not in the cluster; there the annotation"
                        + " kustomize.toolkit.fluxcd.io/force: enabled (Kustomization) or a name with a content hash"
                        + " (HelmRelease) lets a changed Job run again" + RUN_AGAIN;
            case FLEET_JOB_EDIT ->
                "In the bundle's chart, " + NAME_OR_HOOK
                        + "; helm.force and correctDrift.force in fleet.yaml cannot change" + " a Job" + RUN_AGAIN;
            case FLEET_OWNED_JOB_EDIT ->
                "Make this change in the Git repository that Fleet deploys the Job from, not in the cluster; a name there"
                        + " that changes with the Job's content lets a changed Job run again" + RUN_AGAIN;
            case HELM_JOB_EDIT ->
                "Delete the Job and upgrade again: {kubectl} -n {namespace} delete job {name}" + RUN_AGAIN
                        + " To avoid that at every upgrade, in the chart, " + NAME_OR_HOOK
                        + "; neither --force nor --force-replace can"
                        + " change a Job.";
            case HELM_FORCE_JOB_EDIT ->
                "Leave out --force (Helm 4: --force-replace), it is a PUT and cannot change a Job. Delete the Job and"
                        + " upgrade again: {kubectl} -n {namespace} delete job {name}; a name that changes with its"
                        + " content saves that" + RUN_AGAIN;
            case HELM_HOOK_JOB_EDIT ->
                "Let this hook's annotation helm.sh/hook-delete-policy contain before-hook-creation in the chart: the old"
                        + " Job is then deleted before each run. To get past the one that is left now: {kubectl} -n"
                        + " {namespace} delete job {name}, then deploy again" + RUN_AGAIN;
            case HELM_OWNED_JOB_EDIT ->
                "Make this change in the Helm chart or its values, not in the cluster; then delete the Job, {kubectl} -n"
                        + " {namespace} delete job {name}, and upgrade the release; a name with a content hash saves the"
                        + " deleting" + RUN_AGAIN;
            case KAPP_JOB_EDIT ->
                "Add the annotation kapp.k14s.io/update-strategy: fallback-on-replace to the Job: kapp then deletes it and"
                        + " creates it again when it changes" + RUN_AGAIN;
            case KAPP_OWNED_JOB_EDIT ->
                "Make this change in the manifests that kapp deploys the Job from, not in the cluster; with the"
                        + " annotation kapp.k14s.io/update-strategy: fallback-on-replace there, kapp runs a changed Job"
                        + " again" + RUN_AGAIN;
            case KUBECTL_APPLY_JOB_EDIT ->
                "Apply it again with --force, from a file that holds only this Job: {kubectl} apply --force -f <manifest>."
                        + " That deletes the Job and creates it again" + RUN_AGAIN;
            case KUBECTL_SERVER_SIDE_APPLY_JOB_EDIT ->
                "Delete the Job first, then apply again: {kubectl} -n {namespace} delete job {name}. With --server-side"
                        + " neither --force nor --force-conflicts can do it" + RUN_AGAIN;
            case KUBECTL_REPLACE_JOB_EDIT ->
                "Replace it with --force, from a file that holds only this Job: {kubectl} replace --force -f <manifest>."
                        + " That deletes the Job and creates it again" + RUN_AGAIN;
            case KUBECTL_LIVE_JOB_EDIT ->
                "Make this change in the Job's manifest, a file that holds only this Job, and run {kubectl} replace --force"
                        + " -f <manifest>. That deletes the Job and creates it again" + RUN_AGAIN;
            case JOB_EDIT ->
                "Delete the Job and create it with the change ({kubectl} -n {namespace} delete job {name}, then apply"
                        + " again), or give the changed Job another name" + RUN_AGAIN;
            case COPIED_JOB_MANIFEST ->
                "Remove from the manifest what was generated for another Job: spec.selector, status, metadata.uid,"
                        + " metadata.resourceVersion and, in metadata and in the template, the labels controller-uid,"
                        + " job-name, batch.kubernetes.io/controller-uid and batch.kubernetes.io/job-name. Then apply again,"
                        + " without --force: that would delete the Job and could not create it again.";
            case COMPLETIONS_WITHOUT_PARALLELISM ->
                "Set spec.completions and spec.parallelism to the same number in one change: an Indexed Job can only be"
                        + " resized by both together.";
            case REPLACE_ACTIVE_JOB ->
                "Wait until the Job has finished and apply again, or let Jobs be replaced while they run, with the"
                        + " annotation gitops-interlock.dev/when-active: Replace on the Namespace (its owner can set it;"
                        + " their Pods are stopped).";
            case REPLACE_JOB_WITH_FINALIZER ->
                "Wait for the controller that put a finalizer on the Job (metadata.finalizers), or remove it, and apply"
                        + " again: with a finalizer a deleted Job stays, and its name is not free for a new one.";
            case REPLACE_JOB_OF_ANOTHER_CONTROLLER ->
                "Change the Job where the controller named in its spec.managedBy takes it from, or delete it and apply"
                        + " again: {kubectl} -n {namespace} delete job {name}" + RUN_AGAIN
                        + " It is not replaced, because that controller tracks the Job by its uid.";
            case REPLACE_ARGO_CD_HOOK ->
                "Remove the annotation argocd.argoproj.io/hook, if Argo CD does not run this Job, from its chart or manifest"
                        + " and from the live Job ({kubectl} -n {namespace} annotate job {name} argocd.argoproj.io/hook-),"
                        + " and deploy again" + RUN_AGAIN + " Argo CD deletes and recreates its hooks itself, so"
                        + " gitops-interlock never replaces one.";
            case RIGHTS_MISSING ->
                "Grant the account that sent this the right to {reason} jobs in namespace {namespace} (RBAC), then apply"
                        + " again: gitops-interlock does only what the requester may do.";
            case REQUESTER_NOT_IMPERSONATED ->
                "Send this edit as another user: gitops-interlock carries edits out in the name of their requester, and it"
                        + " cannot do so for this one ({reason}). Or, if the policy is Replace, do it by hand: {kubectl}"
                        + " -n {namespace} delete job {name}, then apply again" + RUN_AGAIN;
            case NEW_JOB_REFUSED ->
                "Fix what rejected the new Job, then apply again; the old Job was kept. It says: {reason}.";
            case NOT_REPLACED_NOW ->
                "Apply again in a moment, and if that does not help, show this to the team that runs gitops-interlock: the Job"
                        + " could not be replaced now, nothing was changed ({reason}).";
            case RUN_NOT_STARTED ->
                "Apply again in a moment, and if that does not help, show this to the team that runs gitops-interlock: the new"
                        + " Job could not be started now ({reason}); the same edit never runs twice.";
            case OLD_JOB_GONE ->
                "Apply again, which creates the Job where it is missing: the old one was to be deleted first, then the"
                        + " new one could not be created ({reason}).";
            case UNKNOWN_POLICY_VALUE, ROLLOUT_HELD, ROLLOUT_AHEAD ->
                throw new IllegalArgumentException("no refused edit of a Job: " + code.token());
        };
    }
}
