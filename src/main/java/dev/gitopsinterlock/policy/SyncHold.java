package dev.gitopsinterlock.policy;

/**
 * Whether rollouts wait for syncs: on a MachineConfigPool or a Node its own rollouts, on an Application its syncs. In the
 * order of what each holds, the most first.
 */
public enum SyncHold implements PolicyValue {
    /** Rollouts wait. */
    ENABLED,
    /** Rollouts go on, and people are told how long they would have waited. */
    OBSERVE,
    /** Rollouts go on. */
    DISABLED;

    public static final PolicySetting<SyncHold> SETTING = PolicySetting.words("sync-hold", values());

    /** Which counts where two are said: the one that holds less. */
    public SyncHold weaker(SyncHold other) {
        return compareTo(other) < 0 ? other : this;
    }
}
