package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.CERT_MANAGER;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Locale;
import java.util.stream.Collectors;

final class CertManagerCheck {

    private CertManagerCheck() {}

    static Diagnosis of(Installation installation) {
        var objects = installation.certManager();
        if (installation.namespace().isEmpty()) {
            return Diagnosis.notChecked(CERT_MANAGER, "no installation of gitops-interlock was found");
        }
        if (objects.items().findAny().isEmpty()) {
            return Diagnosis.ok(CERT_MANAGER, "the certificate does not come from cert-manager");
        }
        var waiting = objects.items().filter(object -> !isReady(object)).toList();
        if (waiting.isEmpty()) {
            return Diagnosis.ok(
                    CERT_MANAGER, objects.items().map(CertManagerCheck::named).collect(Collectors.joining(", ")));
        }
        return Diagnosis.problem(
                CERT_MANAGER,
                waiting.stream()
                        .map(object -> named(object) + " is not ready: "
                                + ready(object).path("message").asText("it has no condition Ready"))
                        .collect(Collectors.joining("; ")),
                "kubectl -n %s describe %s"
                        .formatted(
                                installation.namespace(),
                                named(waiting.getFirst()).replace(' ', '/').toLowerCase(Locale.ROOT)));
    }

    private static boolean isReady(JsonNode object) {
        return ready(object).path("status").asText().equals("True");
    }

    private static JsonNode ready(JsonNode object) {
        return object.at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals("Ready"))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static String named(JsonNode object) {
        return object.path("kind").asText() + " " + object.at("/metadata/name").asText();
    }
}
