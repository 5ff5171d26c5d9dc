package dev.gitopsinterlock.doctor;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** All checks of one installation. */
public final class Diagnoses {

    /** What is wrong where the API server gets no answer. */
    private static final Set<Check> EFFECTS = EnumSet.of(Check.CANARY, Check.FAIL_OPEN);

    private Diagnoses() {}

    /** What one check finds; the canary is no rule, but a question to the API server. */
    public static Optional<Diagnosis> of(Check check, Installation installation) {
        return Optional.ofNullable(
                switch (check) {
                    case CONFIGURATIONS ->
                        of(
                                check,
                                installation,
                                ConfigurationsCheck::of,
                                installation.mutating(),
                                installation.validating());
                    case ORDER -> of(check, installation, OrderCheck::of, installation.mutating());
                    case TRUST -> TrustCheck.of(installation);
                    case EXPIRY -> ExpiryCheck.of(installation);
                    case CERT_MANAGER -> of(check, installation, CertManagerCheck::of, installation.certManager());
                    case TOKEN -> of(check, installation, TokenCheck::of, installation.deployment());
                    case REPLICAS -> of(check, installation, ReplicasCheck::of, installation.deployment());
                    case BUDGET ->
                        of(check, installation, BudgetCheck::of, installation.deployment(), installation.budgets());
                    case RIGHTS ->
                        of(check, installation, RightsCheck::of, installation.deployment(), installation.granted());
                    case APPLICATIONS -> of(check, installation, ApplicationsCheck::of, installation.deployment());
                    case BREAK_GLASS -> of(check, installation, BreakGlassCheck::of, installation.namespaces());
                    case FAIL_OPEN -> of(check, installation, FailOpenCheck::of, installation.metrics());
                    case VERSIONS -> of(check, installation, VersionsCheck::of, installation.deployment());
                    case KUBERNETES -> of(check, installation, KubernetesCheck::of, installation.kubernetes());
                    case CANARY -> null;
                });
    }

    /** Not checked where one of those that the rule needs could not be read. */
    private static Diagnosis of(
            Check check, Installation installation, Function<Installation, Diagnosis> rule, Reading... needed) {
        return Stream.of(needed)
                .filter(Reading::isRefused)
                .findFirst()
                .map(reading -> Diagnosis.notChecked(check, reading.obstacle()))
                .orElseGet(() -> rule.apply(installation));
    }

    /** Diagnoses in which what is wrong because of something else is no problem of its own. */
    public static List<Diagnosis> withCauses(List<Diagnosis> found) {
        var cause = found.stream().filter(Diagnosis::silences).findFirst();
        return cause.map(because -> found.stream()
                        .map(diagnosis -> follows(diagnosis) ? diagnosis.because(because.check()) : diagnosis)
                        .toList())
                .orElse(found);
    }

    private static boolean follows(Diagnosis diagnosis) {
        return diagnosis.verdict() == CheckResult.PROBLEM && EFFECTS.contains(diagnosis.check());
    }
}
