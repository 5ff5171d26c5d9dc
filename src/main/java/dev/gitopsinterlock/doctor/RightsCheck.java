package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.RIGHTS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.makers.KnownMaker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What the chart grants for the same settings, by the file that it is rendered from. */
final class RightsCheck {

    private static final String WEBHOOKS = "admissionregistration.k8s.io";
    private static final int IMPERSONATES_FROM = 36;

    private RightsCheck() {}

    static Diagnosis of(Installation installation) {
        if (installation.deployment().isAbsent()) {
            return Diagnosis.notChecked(RIGHTS, "there is no Deployment of gitops-interlock");
        }
        var needed = needed(installation);
        var missing = needed.stream()
                .filter(right -> !isGranted(right, installation.granted().tree()))
                .map(Right::toString)
                .toList();
        return missing.isEmpty()
                ? Diagnosis.ok(RIGHTS, "all %d that it needs".formatted(needed.size()))
                : Diagnosis.problem(
                        RIGHTS,
                        "its account may not " + String.join(", ", missing) + ", which its settings need",
                        installation.installAgain());
    }

    private static boolean isGranted(Right right, JsonNode granted) {
        var rules = Stream.concat(
                granted.path("cluster").valueStream(),
                granted.path("namespaces").path(right.namespace()).valueStream());
        return rules.anyMatch(right::isGrantedBy);
    }

    private static List<Right> needed(Installation installation) {
        var isOn = features(installation);
        var needed = new ArrayList<Right>();
        for (var right : installation.rights()) {
            if (texts(right.path("if")).stream().allMatch(isOn)) {
                var name = right.path("name").asText().equals("own") ? installation.namespace() : "";
                for (var namespace : namespaces(installation, right.path("role").asText())) {
                    needed.addAll(Right.of(
                            texts(right.path("verbs")),
                            right.path("group").asText(),
                            right.path("resource").asText(),
                            name,
                            namespace));
                }
            }
        }
        installation.trustSecret().ifPresent(secret -> keepingItself(installation, secret, needed));
        return needed;
    }

    /** As templates/_rights.tpl has them by the chart's values. */
    private static Predicate<String> features(Installation installation) {
        var replaces = installation.isOn("replacement.enabled");
        return feature -> switch (feature) {
            case "overrides" -> installation.isOn("jobs.allow-overrides");
            case "noOverrides" -> !installation.isOn("jobs.allow-overrides");
            case "gate" -> installation.holdsRollouts();
            case "applications" -> installation.holdsRollouts() || installation.isHub();
            case "kustomizations" -> installation.isOn("machine-configs.hold-for-kustomizations");
            case "applicationSets" -> installation.isOn("machine-configs.hold-for-application-sets");
            case "sourceNamespaces" -> installation.isOn("argo-cd.source-namespaces");
            case "nodeDisruption" -> installation.isOn("machine-configs.honor-node-disruption-policy");
            case "leases" -> !installation.leaseNamespaces().isEmpty();
            case "markedJobs" -> installation.isOn("machine-configs.hold-for-jobs");
            case "events" -> replaces || installation.emitsDenialEvents() || installation.holdsRollouts();
            case "refusals" -> installation.emitsDenialEvents();
            case "replaces" -> replaces;
            case "asRequester" -> replaces && asRequester(installation);
            case "asServiceAccount" -> replaces && !asRequester(installation);
            case "statefulSets" -> replaces && installation.isOn("replacement.stateful-sets");
            default ->
                KnownMaker.named(feature)
                        .map(installation::holds)
                        .orElseThrow(() -> new IllegalArgumentException(feature));
        };
    }

    /** In which a role is bound; the empty one stands for all. */
    private static List<String> namespaces(Installation installation, String role) {
        return switch (role) {
            case "intents" -> List.of(installation.namespace());
            case "leases" -> installation.leaseNamespaces();
            case "replacement" ->
                installation.replacementNamespaces().isEmpty() ? List.of("") : installation.replacementNamespaces();
            default -> List.of("");
        };
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    private static void keepingItself(Installation installation, String secret, List<Right> needed) {
        needed.addAll(
                Right.of(List.of("get", "update", "patch", "create"), "", "secrets", secret, installation.namespace()));
        for (var configuration : installation.list("certificate.self-managed.webhook-configurations")) {
            var parts = configuration.split("/", 2);
            needed.addAll(Right.of(List.of("get", "patch"), WEBHOOKS, parts[0], parts[1], ""));
        }
    }

    private static boolean asRequester(Installation installation) {
        return switch (installation.settings().word("replacement.as")) {
            case "Requester" -> true;
            case "ServiceAccount" -> false;
            default -> KubernetesCheck.minor(installation) >= IMPERSONATES_FROM;
        };
    }
}
