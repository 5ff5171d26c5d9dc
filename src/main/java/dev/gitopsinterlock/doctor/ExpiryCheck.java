package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.EXPIRY;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;

final class ExpiryCheck {

    private ExpiryCheck() {}

    static Diagnosis of(Installation installation) {
        var now = installation.now();
        var served = installation.served();
        var wrong = new LinkedHashSet<String>();
        served.validity()
                .filter(leaf -> leaf.isNearItsEnd(now))
                .ifPresent(leaf -> wrong.add("the serving certificate in %s %s %s"
                        .formatted(served.source(), leaf.isOver(now) ? "expired at" : "expires at", leaf.end())));
        for (var bundle : installation.bundles()) {
            var authorities = new ArrayList<>(bundle.authorities());
            // an old one may stay beside its successor
            if (!authorities.isEmpty() && authorities.stream().allMatch(authority -> authority.isNearItsEnd(now))) {
                var last = authorities.stream()
                        .map(Validity::end)
                        .max(Instant::compareTo)
                        .orElseThrow();
                wrong.add("the CA that the API server trusts %s %s"
                        .formatted(now.isBefore(last) ? "expires at" : "expired at", last));
            }
        }
        if (!wrong.isEmpty()) {
            var problem = Diagnosis.problem(
                    EXPIRY,
                    String.join("; ", wrong)
                            + ": from then on the API server trusts no Pod. It should have been renewed by now",
                    installation.newCertificate());
            return isOver(installation) ? problem.silencing() : problem;
        }
        return served.validity().isEmpty()
                ? Diagnosis.notChecked(
                        EXPIRY,
                        served.obstacle().isEmpty() ? "no certificate in " + served.source() : served.obstacle())
                : Diagnosis.ok(
                        EXPIRY,
                        "the serving certificate is valid until %s"
                                .formatted(served.validity().orElseThrow().end()));
    }

    private static boolean isOver(Installation installation) {
        var now = installation.now();
        return installation.served().validity().filter(leaf -> leaf.isOver(now)).isPresent()
                || installation.bundles().stream()
                        .anyMatch(bundle -> !bundle.authorities().isEmpty()
                                && bundle.authorities().stream().allMatch(authority -> authority.isOver(now)));
    }
}
