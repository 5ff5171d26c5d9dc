package dev.gitopsinterlock.policy;

/** Whether rollouts wait for syncs: on a MachineConfigPool or a Node its own rollouts, on an Application its syncs. */
public enum SyncHold implements PolicyValue {
    ENABLED("Enabled"),
    DISABLED("Disabled");

    public static final PolicySetting<SyncHold> SETTING = PolicySetting.words("sync-hold", values());

    private final String word;

    SyncHold(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}
