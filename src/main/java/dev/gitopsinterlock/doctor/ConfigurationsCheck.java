package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.CONFIGURATIONS;

import java.util.ArrayList;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class ConfigurationsCheck {

    private ConfigurationsCheck() {}

    static Diagnosis of(Installation installation) {
        if (installation.namespace().isEmpty()
                && installation.webhooks().findAny().isEmpty()) {
            return Diagnosis.problem(
                            CONFIGURATIONS,
                            "there is no webhook configuration of gitops-interlock, and no Deployment of it is known; --namespace"
                                    + " names one")
                    .silencing();
        }
        var missing = new ArrayList<String>();
        if (installation.judgesJobs() && !has(installation, Installation.JOBS)) {
            missing.add("no mutating webhook configuration has " + Installation.JOBS);
        }
        if (installation.holdsRollouts() && !has(installation, Installation.NODE_GATE)) {
            missing.add("no validating webhook configuration has " + Installation.NODE_GATE);
        }
        if (!missing.isEmpty()) {
            return Diagnosis.problem(
                            CONFIGURATIONS,
                            "%s: no webhook is called, and what is guarded by it is plain Kubernetes"
                                    .formatted(String.join("; ", missing)),
                            installation.installAgain())
                    .silencing();
        }
        if (!installation.namespace().isEmpty() && installation.service().isAbsent()) {
            return Diagnosis.problem(
                            CONFIGURATIONS,
                            "they name Service %s in %s, which does not exist"
                                    .formatted(installation.name(), installation.namespace()),
                            installation.installAgain())
                    .silencing();
        }
        return Diagnosis.ok(
                CONFIGURATIONS,
                Stream.of(installation.mutating(), installation.validating())
                        .map(Installation::configuration)
                        .flatMap(Optional::stream)
                        .map(each -> each.at("/metadata/name").asText())
                        .collect(Collectors.joining(", ")));
    }

    private static boolean has(Installation installation, String webhook) {
        return installation
                .webhooks()
                .anyMatch(each -> each.path("name").asText().equals(webhook));
    }
}
