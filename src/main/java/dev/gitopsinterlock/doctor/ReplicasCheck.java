package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.REPLICAS;

import dev.gitopsinterlock.kubernetes.Conditions;

final class ReplicasCheck {

    private ReplicasCheck() {}

    static Diagnosis of(Installation installation) {
        var deployment = installation.deployment();
        if (deployment.isAbsent()) {
            return installation.namespace().isEmpty()
                    ? Diagnosis.notChecked(REPLICAS, "there is no Deployment of gitops-interlock")
                    : Diagnosis.problem(
                                    REPLICAS,
                                    "there is no Deployment %s in %s: nobody answers the API server"
                                            .formatted(installation.name(), installation.namespace()),
                                    installation.installAgain())
                            .silencing();
        }
        var wanted = deployment.tree().at("/spec/replicas").asInt(1);
        var ready = deployment.tree().at("/status/readyReplicas").asInt();
        if (wanted == 0) {
            return Diagnosis.problem(
                            REPLICAS,
                            "no Pod is wanted: nobody answers the API server",
                            "kubectl -n %s scale %s --replicas=2"
                                    .formatted(installation.namespace(), installation.deploymentResource()))
                    .silencing();
        }
        var show = Installation.showPods("-n " + installation.namespace());
        if (ready < wanted) {
            var few = Diagnosis.problem(
                    REPLICAS,
                    "%d of %d Pods %s ready%s"
                            .formatted(
                                    ready,
                                    wanted,
                                    ready == 1 ? "is" : "are",
                                    ready == 0 ? ": nobody answers the API server" : ""),
                    show);
            return ready == 0 ? few.silencing() : few;
        }
        if (!installation.service().isAbsent() && hasNoEndpoint(installation.endpoints())) {
            return Diagnosis.problem(
                            REPLICAS,
                            "%d of %d Pods are ready, but none is behind Service %s: nobody answers the API server"
                                    .formatted(ready, wanted, installation.name()),
                            show)
                    .silencing();
        }
        // by Kubernetes, after progressDeadlineSeconds
        if (Conditions.find(deployment.tree(), "Progressing", "False").isPresent()) {
            return Diagnosis.problem(
                    REPLICAS,
                    "%d of %d Pods are ready, but the rollout of the newest version hangs".formatted(ready, wanted),
                    show);
        }
        return wanted == 1
                ? Diagnosis.problem(
                        REPLICAS,
                        "one Pod only: whatever stops it leaves nobody to ask",
                        installation.change("replicaCount=2"))
                : Diagnosis.ok(REPLICAS, "%d of %d Pods are ready".formatted(ready, wanted));
    }

    private static boolean hasNoEndpoint(Reading slices) {
        return !slices.isRefused()
                && slices.items()
                        .flatMap(slice -> slice.path("endpoints").valueStream())
                        .noneMatch(endpoint -> endpoint.at("/conditions/ready").asBoolean(true));
    }
}
