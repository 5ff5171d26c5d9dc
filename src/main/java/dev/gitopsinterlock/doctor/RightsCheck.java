package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.RIGHTS;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the chart grants for the same settings. */
final class RightsCheck {

    private static final List<String> WATCH = List.of("list", "watch");
    private static final String OPENSHIFT = "machineconfiguration.openshift.io";
    private static final String WEBHOOKS = "admissionregistration.k8s.io";
    private static final int IMPERSONATES_FROM = 36;

    private RightsCheck() {}

    static Diagnosis of(Installation installation) {
        for (var reading : new Reading[] {installation.deployment(), installation.granted()}) {
            if (reading.isRefused()) {
                return Diagnosis.notChecked(RIGHTS, reading.obstacle());
            }
        }
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
        var needed = new ArrayList<Right>();
        if (installation.isOn("jobs.allow-overrides")) {
            needed.addAll(Right.everywhere(WATCH, "", "namespaces"));
        } else {
            needed.addAll(Right.of(WATCH, "", "namespaces", installation.namespace(), ""));
        }
        if (installation.holdsRollouts()) {
            needed.addAll(Right.everywhere(WATCH, "argoproj.io", "applications"));
            needed.addAll(Right.everywhere(WATCH, OPENSHIFT, "machineconfigpools"));
            needed.addAll(Right.everywhere(WATCH, "config.openshift.io", "clusterversions"));
            needed.addAll(Right.everywhere(List.of("get"), OPENSHIFT, "machineconfigs"));
            if (!installation.settings().word("upgrade-plans.controller").isEmpty()) {
                needed.addAll(Right.everywhere(List.of("get", "list", "watch"), "upgrade.cattle.io", "plans"));
            }
            if (installation.isOn("machine-configs.hold-for-kustomizations")) {
                needed.addAll(Right.everywhere(WATCH, "kustomize.toolkit.fluxcd.io", "kustomizations"));
            }
            if (installation.isOn("machine-configs.hold-for-jobs")) {
                needed.addAll(Right.everywhere(List.of("list"), "", "pods"));
            }
        }
        var carriesOut = installation.isOn("jobs.carry-out");
        if (carriesOut) {
            carryingOut(installation, needed);
        }
        var tellsOfRefusals = installation.tellsOfRefusals();
        if (carriesOut || tellsOfRefusals || installation.holdsRollouts()) {
            var verbs = tellsOfRefusals ? List.of("create", "patch") : List.of("create");
            needed.addAll(Right.everywhere(verbs, "events.k8s.io", "events"));
        }
        installation.trustSecret().ifPresent(secret -> keepingItself(installation, secret, needed));
        return needed;
    }

    private static void carryingOut(Installation installation, List<Right> needed) {
        needed.addAll(
                Right.of(List.of("create", "get", "list", "delete"), "", "secrets", "", installation.namespace()));
        var asRequester = asRequester(installation);
        var verbs = asRequester
                ? List.of(
                        "get",
                        "patch",
                        "impersonate-on:serviceaccount:create",
                        "impersonate-on:serviceaccount:delete",
                        "impersonate-on:user-info:create",
                        "impersonate-on:user-info:delete")
                : List.of("get", "patch", "create", "delete");
        var namespaces = installation.carryOutNamespaces();
        // the empty one stands for all
        for (var namespace : namespaces.isEmpty() ? List.of("") : namespaces) {
            needed.addAll(Right.of(List.of("get"), "", "namespaces", "", namespace));
            needed.addAll(Right.of(verbs, "batch", "jobs", "", namespace));
            if (installation.isOn("stateful-sets.carry-out")) {
                needed.addAll(Right.of(verbs, "apps", "statefulsets", "", namespace));
                needed.addAll(Right.of(List.of("watch"), "apps", "statefulsets", "", namespace));
            }
        }
        if (asRequester) {
            needed.addAll(Right.everywhere(
                    List.of("impersonate:serviceaccount"), "authentication.k8s.io", "serviceaccounts"));
            needed.addAll(Right.everywhere(List.of("impersonate:user-info"), "authentication.k8s.io", "users"));
        } else {
            needed.addAll(Right.everywhere(List.of("create"), "authorization.k8s.io", "subjectaccessreviews"));
        }
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
        return switch (installation.settings().word("jobs.carry-out-as")) {
            case "Requester" -> true;
            case "ServiceAccount" -> false;
            default -> KubernetesCheck.minor(installation) >= IMPERSONATES_FROM;
        };
    }
}
