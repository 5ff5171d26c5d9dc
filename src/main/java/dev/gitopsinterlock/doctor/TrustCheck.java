package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.TRUST;

import java.util.List;
import java.util.function.Predicate;

final class TrustCheck {

    private TrustCheck() {}

    static Diagnosis of(Installation installation) {
        var bundles = installation.bundles();
        if (bundles.isEmpty()) {
            return Diagnosis.notChecked(TRUST, "no webhook configuration of gitops-interlock could be read");
        }
        var empty = webhooks(bundles, bundle -> bundle.authorities().isEmpty());
        if (!empty.isEmpty()) {
            return Diagnosis.problem(
                            TRUST,
                            "%s: no certificate in the CA bundle, so the API server trusts nobody there"
                                    .formatted(list(empty)),
                            mend(installation))
                    .silencing();
        }
        var served = installation.served();
        if (!served.obstacle().isEmpty()) {
            return Diagnosis.notChecked(TRUST, served.obstacle());
        }
        if (served.validity().isEmpty()) {
            return Diagnosis.problem(
                            TRUST,
                            "there is no certificate in %s".formatted(served.source()),
                            installation.newCertificate())
                    .silencing();
        }
        var strange = webhooks(bundles, bundle -> !bundle.signed());
        if (!strange.isEmpty()) {
            return Diagnosis.problem(
                            TRUST,
                            "%s: the CA bundle does not fit the certificate in %s, so the API server does not trust the Pods"
                                    .formatted(list(strange), served.source()),
                            mend(installation))
                    .silencing();
        }
        if (!served.isFor(installation.host())) {
            return Diagnosis.problem(
                            TRUST,
                            "the certificate in %s is not for %s, which the API server calls"
                                    .formatted(served.source(), installation.host()),
                            // its names stand in the release
                            installation.certManager().items().findAny().isPresent()
                                    ? installation.installAgain()
                                    : installation.newCertificate())
                    .silencing();
        }
        return Diagnosis.ok(TRUST, "they fit the certificate in %s".formatted(served.source()));
    }

    /** Whoever writes the bundle is made to write it again. */
    private static String mend(Installation installation) {
        if (installation.trustSecret().isPresent()) {
            return "kubectl -n %s rollout restart %s"
                    .formatted(installation.namespace(), installation.deploymentResource());
        }
        var injected = installation
                .mutating()
                .items()
                .anyMatch(each -> each.path("metadata")
                        .path("annotations")
                        .propertyStream()
                        .anyMatch(annotation -> annotation.getKey().startsWith("cert-manager.io/inject-ca-from")));
        return injected
                ? "kubectl -n cert-manager rollout restart deployment/cert-manager-cainjector"
                : installation.change("certificates.existingSecret.caBundle=CA");
    }

    private static List<String> webhooks(List<Bundle> bundles, Predicate<Bundle> which) {
        return bundles.stream().filter(which).map(Bundle::webhook).toList();
    }

    private static String list(List<String> webhooks) {
        return String.join(", ", webhooks);
    }
}
