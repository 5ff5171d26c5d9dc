package dev.gitopsinterlock.job.lint;

import dev.gitopsinterlock.edit.Change;

/**
 * What Argo CD does in a sync with a Job that changed and is in the cluster already, as far as the Job's annotations
 * decide it. Options of the Application are not known here.
 */
public enum ArgoCdTreatment {
    /** It is patched. */
    PATCHED,
    /** It is sent as a PUT. */
    PUT,
    /** It is deleted and created again, or no longer there. */
    RECREATED,
    /** A hook that is patched where the Job of an earlier run was left over. */
    PATCHED_IF_LEFT_OVER,
    /** No sync applies it. */
    NOT_APPLIED;

    /** Of a Job that Argo CD sends. */
    public static ArgoCdTreatment of(Change change) {
        var hook = ArgoCdHook.of(change);
        if (hook.isArgoCds()) {
            if (!hook.runsInASync()) {
                return NOT_APPLIED;
            }
            return hook.isStoppedByALeftover() ? PATCHED_IF_LEFT_OVER : RECREATED;
        }
        var options = SyncOptions.of(hook.annotations());
        if (options.force() && (options.replace() || !options.serverSideApply())) {
            return RECREATED;
        }
        return options.replace() ? PUT : PATCHED;
    }

    /** Whether the Job itself asks for server-side apply. */
    public static boolean isServerSide(Change change) {
        return SyncOptions.of(change.annotations()).serverSideApply();
    }
}
