package dev.gitopsinterlock.page;

import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.status.Facts;
import dev.gitopsinterlock.status.RecentReviews.Asked;
import dev.gitopsinterlock.status.When;
import java.util.List;
import java.util.Optional;

/**
 * Something that is guarded.
 *
 * @param what it is
 * @param setting that holds in the cluster, in its own word
 * @param how what that means
 * @param asked how often the API server asked, since the start
 * @param denied how often the answer was no
 * @param last when it asked for the last time
 */
public record WebhookRow(String what, String setting, String how, long asked, long denied, String last) {

    static List<WebhookRow> of(Facts facts) {
        var jobs = facts.installed().jobs();
        var objects = facts.installed().objects();
        var gate = facts.installed().gate();
        return List.of(
                row(
                        facts,
                        "mutate-jobs",
                        "Edits of Jobs",
                        word(jobs),
                        "%s.%s".formatted(meaning(jobs), overrides(jobs))),
                row(
                        facts,
                        "mutate-objects",
                        "Edits of other kinds",
                        word(objects),
                        "%s; of StatefulSets %s."
                                .formatted(
                                        meaning(objects),
                                        objects.replacement() instanceof ReplacementScope.On
                                                ? "carried out where the policy says Replace"
                                                : "too")),
                row(facts, "validate-jobs", "New Jobs", "Advice", "Let through; warned where something will go wrong."),
                row(
                        facts,
                        "validate-nodes",
                        "Rollouts that restart Nodes",
                        gate.syncHold().configValue(),
                        meaning(gate)),
                row(
                        facts,
                        "validate-machineconfigs",
                        "New MachineConfigs",
                        gate.isWatching() ? "Advice" : "Off",
                        gate.isWatching()
                                ? "Let through; warned which pools will wait, and for what."
                                : "Let through."));
    }

    private static WebhookRow row(Facts facts, String route, String what, String setting, String how) {
        var asked = Optional.ofNullable(facts.reviews().asked().get(route));
        return new WebhookRow(
                what,
                setting,
                how,
                asked.map(Asked::times).orElse(0L),
                asked.map(Asked::denied).orElse(0L),
                asked.map(known -> When.of(known.last(), facts.now()).distance())
                        .orElse("never"));
    }

    private static String word(Policy.Levels levels) {
        return levels.cluster().onImmutableChange().configValue();
    }

    private static String meaning(Policy.Levels levels) {
        return meaning(levels.cluster().onImmutableChange());
    }

    static String meaning(OnImmutableChange policy) {
        return switch (policy) {
            case REJECT -> "Refused with advice";
            case WARN -> "Left to the API server, with advice beside its answer";
            case PREVIEW -> "Refused with advice, and told what Replace would have done";
            case REPLACE -> "Carried out: deleted and recreated";
            case GENERATE_NAME -> "Carried out beside it, as a new Job";
            case IGNORE -> "Exempt";
        };
    }

    private static String overrides(Policy.Levels levels) {
        return levels.allowOverrides() ? " Namespaces and Jobs may say otherwise." : " Annotations do not count.";
    }

    private static String meaning(GatePolicy gate) {
        var limits = "at most %s, and %s for pools that upgrades wait for"
                .formatted(When.words(gate.maxHold()), When.words(gate.maxHoldRequired()));
        var leases = gate.scope().leaseNamespaces();
        var scope = "syncs of Applications in %s%s"
                .formatted(
                        String.join(", ", gate.scope().namespaces()),
                        leases.isEmpty() ? "" : ", and those that Leases announce in " + String.join(", ", leases));
        return switch (gate.syncHold()) {
            case ENABLED -> "Wait for %s: %s.".formatted(scope, limits);
            case OBSERVE -> "Go on; told for how long they would wait for %s: %s.".formatted(scope, limits);
            case DISABLED -> "Go on; nothing is watched.";
        };
    }
}
