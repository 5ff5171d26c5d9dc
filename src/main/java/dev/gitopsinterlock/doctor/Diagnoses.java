package dev.gitopsinterlock.doctor;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All checks of one installation. */
public final class Diagnoses {

    /** What is wrong where the API server gets no answer. */
    private static final Set<Check> EFFECTS = EnumSet.of(Check.CANARY, Check.FAIL_OPEN);

    private Diagnoses() {}

    /** What one check finds; the canary is no rule, but a question to the API server. */
    public static Optional<Diagnosis> of(Check check, Installation installation) {
        return Optional.ofNullable(
                switch (check) {
                    case CONFIGURATIONS -> ConfigurationsCheck.of(installation);
                    case ORDER -> OrderCheck.of(installation);
                    case TRUST -> TrustCheck.of(installation);
                    case EXPIRY -> ExpiryCheck.of(installation);
                    case CERT_MANAGER -> CertManagerCheck.of(installation);
                    case TOKEN -> TokenCheck.of(installation);
                    case REPLICAS -> ReplicasCheck.of(installation);
                    case BUDGET -> BudgetCheck.of(installation);
                    case RIGHTS -> RightsCheck.of(installation);
                    case APPLICATIONS -> ApplicationsCheck.of(installation);
                    case BREAK_GLASS -> BreakGlassCheck.of(installation);
                    case FAIL_OPEN -> FailOpenCheck.of(installation);
                    case VERSIONS -> VersionsCheck.of(installation);
                    case KUBERNETES -> KubernetesCheck.of(installation);
                    case CANARY -> null;
                });
    }

    /** The same, where what is wrong because of something else is no problem of its own. */
    public static List<Diagnosis> withCauses(List<Diagnosis> found) {
        var cause = found.stream().filter(Diagnosis::silences).findFirst();
        return cause.map(because -> found.stream()
                        .map(diagnosis -> follows(diagnosis) ? diagnosis.because(because.check()) : diagnosis)
                        .toList())
                .orElse(found);
    }

    private static boolean follows(Diagnosis diagnosis) {
        return diagnosis.verdict() == Verdict.PROBLEM && EFFECTS.contains(diagnosis.check());
    }
}
