package dev.gitopsinterlock.testing.review;

import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.config.Settings.ReplacementAs;
import dev.gitopsinterlock.config.Settings.SelfManaged;
import dev.gitopsinterlock.policy.ReplacementScope;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Settings for tests of what uses them: the gate is on, and edits are carried out everywhere. */
public final class SampleSettings {

    public static final Duration SETTLE = Duration.ofMillis(500);

    public static final String TOKEN = "atokenoftwentyletters";

    private SampleSettings() {}

    public static Settings usual() {
        return with(Map.of());
    }

    /** Edits are carried out in this name. */
    public static Settings as(ReplacementAs as) {
        return with(Map.of("replacement.as", as.configValue()));
    }

    /** Rollouts wait for Flux, too. */
    public static Settings holdingForKustomizations() {
        return with(Map.of("machine-configs.hold-for-kustomizations", "true"));
    }

    /** Rollouts wait between the steps of progressive syncs, too. */
    public static Settings holdingForApplicationSets() {
        return with(Map.of("machine-configs.hold-for-application-sets", "true"));
    }

    /** Syncs count where Argo CD is known to be, and in its source Namespaces. */
    public static Settings countingSourceNamespacesOf(String argoCd) {
        return with(Map.of("argo-cd.source-namespaces", "true", "argo-cd.namespaces", argoCd));
    }

    /** Rollouts wait for what Leases in these Namespaces announce, too. */
    public static Settings holdingForLeasesIn(String... namespaces) {
        return with(Map.of("machine-configs.lease-namespaces", String.join(",", namespaces)));
    }

    /** Syncs are announced elsewhere, and no rollout waits here. */
    public static Settings hubAlone() {
        return with(Map.of("hub.directory", "/clusters", "machine-configs.sync-hold", "Disabled"));
    }

    /** Annotations of Namespaces and Jobs do not count. */
    public static Settings withoutOverrides() {
        return with(Map.of("jobs.allow-overrides", "false"));
    }

    public static Settings replacing(ReplacementScope scope) {
        return with(
                switch (scope) {
                    case ReplacementScope.On(var jobAnnotations, var namespaces) ->
                        Map.of(
                                "replacement.allow-job-annotations", Boolean.toString(jobAnnotations),
                                "replacement.namespaces", String.join(",", namespaces));
                    case ReplacementScope.Off _ -> Map.of("replacement.enabled", "false");
                });
    }

    /** The service keeps its certificate itself. */
    public static Settings keeping(SelfManaged how) {
        var prefix = "certificate.self-managed.";
        return with(Map.of(
                prefix + "secret", how.secret(),
                prefix + "hosts", String.join(",", how.hosts()),
                prefix + "webhook-configurations", String.join(",", how.webhookConfigurations()),
                prefix + "duration", how.duration().toString(),
                prefix + "ca-duration", how.caDuration().toString(),
                prefix + "overlap", how.overlap().toString(),
                prefix + "caller-token", Boolean.toString(how.callerToken()),
                prefix + "caller-token-interval", how.callerTokenInterval().toString()));
    }

    private static Settings with(Map<String, String> others) {
        var words = new HashMap<>(Map.of(
                "replacement.enabled", "true",
                "replacement.stateful-sets", "true",
                "replacement.allow-job-annotations", "true",
                "jobs.exempt-namespaces", "kube-system",
                "argo-cd.namespaces", "*",
                "caller-token", TOKEN));
        words.putAll(others);
        return Settings.of(words);
    }
}
