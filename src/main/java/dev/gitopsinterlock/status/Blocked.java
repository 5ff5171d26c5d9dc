package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.kubernetes.Conditions;
import dev.gitopsinterlock.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A tool's object that is held up by our denials now.
 *
 * @param kind of the object
 * @param object its name
 * @param denials at least one
 */
public record Blocked(String kind, ObjectName object, List<QuotedDenial> denials) {

    public Blocked {
        denials = List.copyOf(denials);
    }

    /**
     * What blocks an object; empty where nothing does.
     *
     * @param kind Application, Kustomization or HelmRelease
     */
    public static Optional<Blocked> of(String kind, JsonNode object) {
        var status = object.path("status");
        var texts = kind.equals("Application") ? ofApplication(status) : ofFlux(object);
        var denials = texts.stream()
                .flatMap(text -> QuotedDenial.in(text).stream())
                .distinct()
                .toList();
        return denials.isEmpty() ? Optional.empty() : Optional.of(new Blocked(kind, ObjectName.of(object), denials));
    }

    /** Whose object it is. */
    public Tool tool() {
        return switch (kind) {
            case "Application" -> Tool.ARGO_CD;
            case "Kustomization" -> Tool.FLUX_KUSTOMIZATION;
            default -> Tool.FLUX_HELM_RELEASE;
        };
    }

    /** A change that was taken back in Git leaves the state of the failed sync behind, which was of another commit. */
    private static List<String> ofApplication(JsonNode status) {
        var operation = status.path("operationState");
        if (ForgottenSync.isSynced(status) && !ForgottenSync.isOfTheCommit(operation, status)) {
            return List.of();
        }
        var texts = new ArrayList<String>();
        if (!operation.path("phase").asText().equals("Succeeded")) {
            texts.add(operation.path("message").asText());
            operation
                    .at("/syncResult/resources")
                    .forEach(resource -> texts.add(resource.path("message").asText()));
        }
        // each is there only while it holds
        status.path("conditions")
                .forEach(condition -> texts.add(condition.path("message").asText()));
        return texts;
    }

    /** While it tries again, Ready is Unknown, and the words of the last attempt are in another condition, if anywhere. */
    private static List<String> ofFlux(JsonNode object) {
        return Conditions.isTrue(object, "Ready")
                ? List.of()
                : object.at("/status/conditions")
                        .valueStream()
                        .filter(condition -> !condition.path("status").asText().equals("True"))
                        .map(condition -> condition.path("message").asText())
                        .toList();
    }
}
