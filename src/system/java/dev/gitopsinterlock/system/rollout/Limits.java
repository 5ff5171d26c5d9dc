package dev.gitopsinterlock.system.rollout;

import java.time.Duration;

/** How long the service of these runs may hold a rollout, and how fast the rollouts are. */
final class Limits {

    static final Duration MAX_HOLD = Duration.ofSeconds(5);
    static final Duration MAX_HOLD_REQUIRED_POOLS = Duration.ofSeconds(3);

    /** Of the controllers: what takes them five seconds takes a quarter of one. */
    static final double PACE = 0.05;

    /** For everything that must happen at some time. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** For a refusal that was on its way when its rollout's limit passed. */
    static final Duration SLACK = Duration.ofSeconds(5);

    private Limits() {}

    static Duration maxHold(boolean requiredForUpgrade) {
        return requiredForUpgrade ? MAX_HOLD_REQUIRED_POOLS : MAX_HOLD;
    }
}
