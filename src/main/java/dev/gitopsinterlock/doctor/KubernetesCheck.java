package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.KUBERNETES;

import dev.gitopsinterlock.immutability.KubernetesVersion;

final class KubernetesCheck {

    /** From which on matchConditions are stable; the chart says the same. */
    private static final int OLDEST = 30;
    /** The newest minor version that the tests have run on. */
    private static final int NEWEST = 37;

    private KubernetesCheck() {}

    static Diagnosis of(Installation installation) {
        var version = installation.kubernetes();
        var words = version.tree().path("gitVersion").asText();
        if (minor(installation) < OLDEST) {
            return Diagnosis.problem(
                    KUBERNETES, words + ", and gitops-interlock needs 1.%d or newer".formatted(OLDEST));
        }
        return Diagnosis.ok(
                KUBERNETES,
                minor(installation) > NEWEST ? words + ", newer than what was tested (1.%d)".formatted(NEWEST) : words);
    }

    /** The minor version of Kubernetes 1. */
    static int minor(Installation installation) {
        return KubernetesVersion.minor(installation.kubernetes().tree()).orElse(NEWEST);
    }
}
