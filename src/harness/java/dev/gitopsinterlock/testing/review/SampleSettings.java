package dev.gitopsinterlock.testing.review;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.config.Settings.Authentication;
import dev.gitopsinterlock.config.Settings.CarryOutAs;
import dev.gitopsinterlock.config.Settings.PageAudience;
import dev.gitopsinterlock.config.Settings.SelfManaged;
import dev.gitopsinterlock.config.Settings.TlsEngine;
import dev.gitopsinterlock.policy.CarryOutScope;
import dev.gitopsinterlock.policy.Policy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Settings for tests of what uses them: the gate is on, and edits are carried out everywhere. */
public final class SampleSettings {

    public static final Duration SETTLE = Duration.ofMillis(500);

    private static final CarryOutScope EVERYWHERE = new CarryOutScope.On(true, Set.of());

    private SampleSettings() {}

    public static Settings usual() {
        return as(CarryOutAs.AUTO);
    }

    /** Edits are carried out in this name. */
    public static Settings as(CarryOutAs as) {
        return settings(true, EVERYWHERE, as);
    }

    /** Rollouts wait for Flux, too. */
    public static Settings holdingForKustomizations() {
        return settings(true, EVERYWHERE, CarryOutAs.AUTO, Optional.empty(), true);
    }

    /** Annotations of Namespaces and Jobs do not count. */
    public static Settings withoutOverrides() {
        return settings(false, EVERYWHERE, CarryOutAs.AUTO);
    }

    public static Settings carryingOut(CarryOutScope scope) {
        return settings(true, scope, CarryOutAs.AUTO);
    }

    /** The service keeps its certificate itself. */
    public static Settings keeping(SelfManaged how) {
        return settings(true, EVERYWHERE, CarryOutAs.AUTO, Optional.of(how));
    }

    private static Settings settings(boolean allowOverrides, CarryOutScope carryOut, CarryOutAs as) {
        return settings(allowOverrides, carryOut, as, Optional.empty());
    }

    private static Settings settings(
            boolean allowOverrides, CarryOutScope carryOut, CarryOutAs as, Optional<SelfManaged> selfManaged) {
        return settings(allowOverrides, carryOut, as, selfManaged, false);
    }

    private static Settings settings(
            boolean allowOverrides,
            CarryOutScope carryOut,
            CarryOutAs as,
            Optional<SelfManaged> selfManaged,
            boolean holdsForKustomizations) {
        return new Settings(
                new Policy.Levels(Policy.Values.DEFAULT, allowOverrides, carryOut, Set.of()),
                new Policy.Levels(Policy.Values.DEFAULT, allowOverrides, carryOut, Set.of()),
                new Settings.Effects(SETTLE, Duration.ofMinutes(1), 10, as),
                Gates.ENABLED,
                holdsForKustomizations,
                Gates.CONTROLLER,
                Optional.empty(),
                new Authentication(List.of("a token"), false, Optional.empty()),
                Path.of("tls"),
                Duration.ofSeconds(10),
                selfManaged,
                Duration.ofSeconds(10),
                true,
                new GuidancePages(Optional.empty(), Map.of()),
                PageAudience.PORT_FORWARD,
                Optional.empty(),
                TlsEngine.BORING_SSL);
    }
}
