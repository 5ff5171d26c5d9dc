package dev.gitopsinterlock.policy;

/** The settings that a Job or its Namespace can have. */
public final class PolicySettings {

    public static final PolicySetting<OnImmutableChange> ON_IMMUTABLE_CHANGE =
            PolicySetting.words("on-immutable-change", OnImmutableChange.values());

    public static final PolicySetting<WhenActive> WHEN_ACTIVE = PolicySetting.words("when-active", WhenActive.values());

    public static final PolicySetting<Integer> TTL_SECONDS_AFTER_FINISHED =
            PolicySetting.seconds("ttl-seconds-after-finished");

    public static final PolicySetting<Boolean> GENERATE_NAME = PolicySetting.trueOrFalse("generate-name");

    public static final PolicySetting<HoldRestarts> HOLD_RESTARTS =
            PolicySetting.words("hold-restarts", HoldRestarts.values());

    private PolicySettings() {}
}
