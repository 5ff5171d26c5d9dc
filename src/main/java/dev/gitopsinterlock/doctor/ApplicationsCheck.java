package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.APPLICATIONS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.argocd.SourceNamespaces;
import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The gate on rollouts waits only for syncs where Argo CD is said to be. */
final class ApplicationsCheck {

    private static final int MOST = 5;

    private ApplicationsCheck() {}

    static Diagnosis of(Installation installation) {
        if (!installation.holdsRollouts()) {
            var idle = String.join(", ", installation.list("machine-configs.lease-namespaces"));
            if (!idle.isEmpty()) {
                return Diagnosis.problem(
                        APPLICATIONS,
                        "the gate is switched off, so Leases in %s hold nothing".formatted(idle),
                        installation.change("machineConfigs.enabled=true"));
            }
            if (!installation.isHub()) {
                return Diagnosis.ok(APPLICATIONS, "the gate is switched off");
            }
        }
        if (installation.machineConfigs().isAbsent() && !installation.holdsOtherRestarts() && !installation.isHub()) {
            return Diagnosis.ok(APPLICATIONS, "this cluster has no MachineConfigs, so nothing is held");
        }
        for (var reading : new Reading[] {installation.machineConfigs(), installation.applications()}) {
            if (reading.isRefused()) {
                return Diagnosis.notChecked(APPLICATIONS, reading.obstacle());
            }
        }
        if (installation.isOn("argo-cd.source-namespaces")
                && installation.namespaces().isRefused()) {
            return Diagnosis.notChecked(APPLICATIONS, installation.namespaces().obstacle());
        }
        var scope = new SyncScope(
                installation.list("argo-cd.namespaces"),
                installation.list("argo-cd.projects"),
                Duration.ZERO,
                List.of());
        var sources = SourceNamespaces.of(
                installation.isOn("argo-cd.source-namespaces")
                        ? installation.namespaces().items()
                        : Stream.empty());
        var outside = installation
                .applications()
                .items()
                .filter(application -> !scope.covers(
                        sources.counting(ObjectMeta.namespace(application), scope),
                        application.at("/spec/project").asText()))
                .toList();
        if (outside.isEmpty()) {
            return Diagnosis.ok(
                    APPLICATIONS,
                    "%d, and all count"
                            .formatted(installation.applications().items().count()));
        }
        var names = outside.stream()
                .limit(MOST)
                .map(application -> ObjectName.of(application).toString())
                .toList();
        return Diagnosis.problem(
                APPLICATIONS,
                "no rollout waits for syncs of %s%s: their Namespace or project does not count"
                        .formatted(
                                String.join(", ", names),
                                outside.size() > MOST ? " and %d more".formatted(outside.size() - MOST) : ""),
                installation.change(mend(scope, outside)));
    }

    /** Namespaces first: a project may be of one that is not known. */
    private static String mend(SyncScope scope, List<JsonNode> outside) {
        return outside.stream().map(ObjectMeta::namespace).allMatch(scope::coversNamespace)
                ? "argoCd.projects={%s}"
                        .formatted(with(
                                scope.projects(),
                                outside.stream()
                                        .map(each -> each.at("/spec/project").asText())))
                : "argoCd.namespaces={%s}"
                        .formatted(with(scope.namespaces(), outside.stream().map(ObjectMeta::namespace)));
    }

    private static String with(List<String> known, Stream<String> more) {
        return Stream.concat(known.stream(), more).distinct().collect(Collectors.joining(","));
    }
}
