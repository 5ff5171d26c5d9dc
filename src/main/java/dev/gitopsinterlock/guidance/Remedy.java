package dev.gitopsinterlock.guidance;

/**
 * The sentence that says what to do, one for each code. Placeholders: {@code {name}} and {@code {namespace}} of the
 * object, {@code {kubectl}} as the requester calls it.
 *
 * <p>Facts: each piece of advice is explained, with what it costs, on the code's page under docs/guidance.
 */
final class Remedy {

    private static final String RUN_AGAIN = "(old Pods and logs are lost; the Job must be safe to run again)";

    private Remedy() {}

    static String of(GuidanceCode code) {
        return switch (code) {
            case ARGO_CD_JOB_EDIT ->
                "Add the annotation argocd.argoproj.io/sync-options: Force=true to the Job in Git: Argo CD then deletes it"
                        + " and creates it anew when it changes " + RUN_AGAIN + ".";
            case ARGO_CD_SERVER_SIDE_APPLY_JOB_EDIT ->
                "Add the annotation argocd.argoproj.io/sync-options: Force=true,Replace=true to the Job in Git, and the"
                        + " sync option ApplyOutOfSyncOnly=true to the Application: Argo CD then deletes the Job and"
                        + " creates it anew when it changes (without ApplyOutOfSyncOnly at every sync) " + RUN_AGAIN
                        + ".";
            case ARGO_CD_REPLACE_WITHOUT_FORCE ->
                "Change the sync option Replace=true to Force=true,Replace=true: Replace=true alone is a PUT and never"
                        + " recreates a Job. Add ApplyOutOfSyncOnly=true to the Application, or the Job runs again at"
                        + " every sync " + RUN_AGAIN + ".";
            case ARGO_CD_HOOK_JOB_EDIT ->
                "Let this hook's annotation argocd.argoproj.io/hook-delete-policy contain BeforeHookCreation in Git:"
                        + " Argo CD then deletes the old Job before each run. To get past the one that is left now:"
                        + " {kubectl} -n {namespace} delete job {name}, then sync again.";
            case ARGO_CD_OWNED_JOB_EDIT ->
                "Make this change in the Git repository that Argo CD deploys the Job from, not in the cluster; with the"
                        + " annotation argocd.argoproj.io/sync-options: Force=true there, Argo CD runs a changed Job"
                        + " again " + RUN_AGAIN + ".";
            case FLUX_KUSTOMIZATION_JOB_EDIT ->
                "Add the annotation kustomize.toolkit.fluxcd.io/force: enabled to the Job in Git: Flux then deletes it and"
                        + " creates it anew when it changes " + RUN_AGAIN + ".";
            case FLUX_HELM_RELEASE_JOB_EDIT ->
                "Give the Job a name in the chart that changes with its content, such as a hash of its template, or make"
                        + " it a hook (helm.sh/hook: post-install,post-upgrade with helm.sh/hook-delete-policy:"
                        + " before-hook-creation); upgrade.force of the HelmRelease cannot change a Job.";
            case FLUX_OWNED_JOB_EDIT ->
                "Make this change in the source that Flux deploys the Job from, not in the cluster; there the annotation"
                        + " kustomize.toolkit.fluxcd.io/force: enabled (Kustomization) or a name with a content hash"
                        + " (HelmRelease) lets a changed Job run again.";
            case FLEET_JOB_EDIT ->
                "Give the Job a name that changes with its content, such as a hash of its template in a chart, or make it"
                        + " a hook (helm.sh/hook: post-install,post-upgrade with helm.sh/hook-delete-policy:"
                        + " before-hook-creation); helm.force and correctDrift.force in fleet.yaml cannot change a Job.";
            case FLEET_OWNED_JOB_EDIT ->
                "Make this change in the Git repository that Fleet deploys the Job from, not in the cluster; a name there"
                        + " that changes with the Job's content lets a changed Job run again.";
            case HELM_JOB_EDIT ->
                "Give the Job a name in the chart that changes with its content, such as a hash of its template, or make"
                        + " it a hook (helm.sh/hook: post-install,post-upgrade with helm.sh/hook-delete-policy:"
                        + " before-hook-creation); neither --force nor --force-replace can change a Job. To get past it"
                        + " now: {kubectl} -n {namespace} delete job {name}, then upgrade again.";
            case HELM_FORCE_JOB_EDIT ->
                "Leave out --force (Helm 4: --force-replace): it is a PUT and cannot change a Job. Give the Job a name in"
                        + " the chart that changes with its content, or delete it first: {kubectl} -n {namespace} delete"
                        + " job {name}, then upgrade again.";
            case HELM_HOOK_JOB_EDIT ->
                "Let this hook's annotation helm.sh/hook-delete-policy contain before-hook-creation in the chart: Helm"
                        + " then deletes the old Job before each run. To get past the one that is left now: {kubectl} -n"
                        + " {namespace} delete job {name}, then upgrade again.";
            case HELM_OWNED_JOB_EDIT ->
                "Make this change in the Helm chart or its values, not in the cluster, then delete the Job and upgrade the"
                        + " release: {kubectl} -n {namespace} delete job {name}; helm upgrade ...; a name with a content"
                        + " hash saves the deleting.";
            case KAPP_JOB_EDIT ->
                "Add the annotation kapp.k14s.io/update-strategy: fallback-on-replace to the Job: kapp then deletes it and"
                        + " creates it anew when it changes " + RUN_AGAIN + ".";
            case KAPP_OWNED_JOB_EDIT ->
                "Make this change in the manifests that kapp deploys the Job from, not in the cluster; with the"
                        + " annotation kapp.k14s.io/update-strategy: fallback-on-replace there, kapp runs a changed Job"
                        + " again " + RUN_AGAIN + ".";
            case KUBECTL_APPLY_JOB_EDIT ->
                "Apply it again with --force ({kubectl} apply --force -f <manifest>): that deletes the Job and creates it"
                        + " anew " + RUN_AGAIN + ".";
            case KUBECTL_SERVER_SIDE_APPLY_JOB_EDIT ->
                "Delete the Job first, then apply again: {kubectl} -n {namespace} delete job {name} (--force cannot be"
                        + " combined with --server-side, and --force-conflicts does not help) " + RUN_AGAIN + ".";
            case KUBECTL_REPLACE_JOB_EDIT ->
                "Replace it with --force ({kubectl} replace --force -f <manifest>): that deletes the Job and creates it"
                        + " anew " + RUN_AGAIN + ".";
            case KUBECTL_LIVE_JOB_EDIT ->
                "Make this change in the Job's manifest and run {kubectl} replace --force -f <manifest>: that deletes the"
                        + " Job and creates it anew " + RUN_AGAIN + ".";
            case JOB_EDIT ->
                "Delete the Job and create it with the change ({kubectl} -n {namespace} delete job {name}, then apply"
                        + " again), or give the changed Job another name " + RUN_AGAIN + ".";
            case COPIED_JOB_MANIFEST ->
                "Remove spec.selector and the labels controller-uid, job-name and batch.kubernetes.io/* from the manifest"
                        + " and from its template: they were generated for another Job, Kubernetes makes new ones. Then"
                        + " delete the Job and create it anew.";
            case COMPLETIONS_WITHOUT_PARALLELISM ->
                "Set spec.completions and spec.parallelism to the same number in one change: an Indexed Job can only be"
                        + " resized by both together.";
            case UNKNOWN_POLICY_VALUE ->
                throw new IllegalArgumentException("a warning about a policy value is no refusal");
        };
    }
}
