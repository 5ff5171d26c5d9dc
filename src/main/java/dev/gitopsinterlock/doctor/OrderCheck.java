package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.ORDER;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;

/** The API server calls mutating webhooks in the order of their configurations' names. */
final class OrderCheck {

    private OrderCheck() {}

    static Diagnosis of(Installation installation) {
        var ours = Installation.configuration(installation.mutating());
        if (ours.isEmpty()) {
            return Diagnosis.notChecked(ORDER, "there is no mutating webhook of gitops-interlock");
        }
        var name = name(ours.get());
        var later = installation
                .mutating()
                .items()
                .filter(other -> name(other).compareTo(name) > 0)
                .filter(other -> other.path("webhooks").valueStream().anyMatch(OrderCheck::changesJobs))
                .map(OrderCheck::name)
                .toList();
        if (later.isEmpty()) {
            return Diagnosis.ok(ORDER, "%s is the last that sees a Job".formatted(name));
        }
        return Diagnosis.problem(
                ORDER,
                ("after %s the API server asks %s, which may change a Job that gitops-interlock has judged already: give it"
                                + " a name that comes before")
                        .formatted(name, later.stream().sorted().collect(Collectors.joining(", "))),
                "kubectl get mutatingwebhookconfiguration " + String.join(" ", later) + " -o yaml");
    }

    private static boolean changesJobs(JsonNode webhook) {
        return webhook.path("rules")
                .valueStream()
                .anyMatch(rule -> has(rule, "apiGroups", List.of("batch", "*"))
                        && has(rule, "resources", List.of("jobs", "*", "*/*"))
                        && has(rule, "operations", List.of("CREATE", "UPDATE", "*")));
    }

    private static boolean has(JsonNode rule, String field, List<String> any) {
        return rule.path(field).valueStream().map(JsonNode::asText).anyMatch(any::contains);
    }

    private static String name(JsonNode configuration) {
        return configuration.at("/metadata/name").asText();
    }
}
