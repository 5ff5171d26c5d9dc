package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;

/**
 * What a new Job gets wrong without being told: Kubernetes takes it as it is, and the tool that deploys it ignores the
 * mistake or makes the worst of it. The words are fixed, so nothing of the Job can come out with them.
 */
public enum LintFinding implements Warning {
    UNKNOWN_HOOK(
            "use exactly PreSync, Sync, PostSync, SyncFail, PreDelete, PostDelete or Skip in argocd.argoproj.io/hook"),
    UNKNOWN_DELETE_POLICY(
            "use exactly BeforeHookCreation, HookSucceeded or HookFailed in argocd.argoproj.io/hook-delete-policy"),
    DELETE_POLICY_WITHOUT_HOOK(
            "add argocd.argoproj.io/hook or remove argocd.argoproj.io/hook-delete-policy, which is for hooks alone"),
    LEFTOVER_STOPS_HOOK(
            "add BeforeHookCreation to argocd.argoproj.io/hook-delete-policy: else a leftover Job is taken as the next run"),
    NAME_BESIDE_GENERATE_NAME(
            "remove metadata.name from the hook to get a new Job at each sync: with a name, generateName does nothing"),
    GENERATE_NAME_WITHOUT_HOOK(
            "give the Job a metadata.name or make it a hook: with generateName alone, Argo CD adds a Job at every sync"),
    WAVE_NO_INTEGER("use a whole number for argocd.argoproj.io/sync-wave: Argo CD ignores anything else"),
    FORCE_MISSPELT("write exactly Force=true in argocd.argoproj.io/sync-options: Argo CD ignores every other spelling"),
    REPLACE_MISSPELT(
            "write exactly Replace=true or Replace=false in argocd.argoproj.io/sync-options: Argo CD ignores the rest"),
    REPLACE_WITHOUT_FORCE(
            "add Force=true to argocd.argoproj.io/sync-options: Replace=true alone cannot change a Job later"),
    FORCE_WITHOUT_REPLACE(
            "add ServerSideApply=false to argocd.argoproj.io/sync-options: with server-side apply Force=true does not work"),
    SUSPENDED_HOOK(
            "remove spec.suspend from the hook: Argo CD waits for a Job that does not start while it is suspended"),
    UNKNOWN_HELM_HOOK(
            "write Helm's own words into helm.sh/hook, such as pre-install: for any other Helm leaves the Job out"),
    UNKNOWN_HELM_DELETE_POLICY(
            "use before-hook-creation, hook-succeeded or hook-failed in helm.sh/hook-delete-policy: Helm ignores the rest"),
    HELM_DELETE_POLICY_WITHOUT_HOOK("add helm.sh/hook or remove helm.sh/hook-delete-policy, which is for hooks alone"),
    TTL_OF_TRACKED_JOB(
            "remove spec.ttlSecondsAfterFinished: what deploys this Job creates it again once it is gone, and it runs again");

    private final String words;

    LintFinding(String words) {
        this.words = words;
    }

    @Override
    public String text(GuidancePages pages) {
        return words;
    }
}
