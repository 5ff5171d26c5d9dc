package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.job.lint.ArgoCdTreatment;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a tool does with a Job that changed and is in the cluster already: only an edit can be refused.
 *
 * <p>Source: the tools' own code, as {@code docs/guidance} cites it; what of it was seen on the tools themselves is in
 * {@code docs/scenarios.md}.
 */
enum Treatment {
    /** It sends the change to the API server. */
    EDITED,
    /** The same, as a whole manifest. */
    PUT,
    /** It does so if the Job of an earlier run is still there. */
    EDITED_IF_LEFT_OVER,
    /** It deletes the Job and creates it again, or leaves it alone. */
    NOT_EDITED;

    private static final String FLUX = "kustomize.toolkit.fluxcd.io/";
    private static final String KAPP_STRATEGY = "kapp.k14s.io/update-strategy";
    private static final Set<String> KAPP_RECREATES = Set.of("fallback-on-replace", "always-replace", "skip");
    private static final String NELM_POLICY = "werf.io/delete-policy";

    static Treatment of(Deployer deployer, Change change, JsonNode base) {
        var target = change.after();
        return switch (deployer) {
            case ARGO_CD ->
                switch (ArgoCdTreatment.of(change)) {
                    case PATCHED -> EDITED;
                    case PUT -> PUT;
                    case PATCHED_IF_LEFT_OVER -> EDITED_IF_LEFT_OVER;
                    case RECREATED, NOT_APPLIED -> NOT_EDITED;
                };
            case FLUX_KUSTOMIZATION -> isForcedOrLeftByFlux(target, base) ? NOT_EDITED : EDITED;
            case HELM, FLUX_HELM_RELEASE, FLEET -> new ToolMetadata(target).isHelmHook() ? NOT_EDITED : EDITED;
            case KAPP -> KAPP_RECREATES.contains(annotation(target, KAPP_STRATEGY)) ? NOT_EDITED : EDITED;
            case NELM -> isRecreatedByNelm(target) ? NOT_EDITED : EDITED;
            case TERRAFORM, PULUMI, KUBECTL, UNKNOWN -> EDITED;
        };
    }

    /** Flux reads labels and annotations, in any case, of the manifest and, for force, of the live object. */
    private static boolean isForcedOrLeftByFlux(JsonNode target, JsonNode base) {
        return Stream.of(target, base).anyMatch(object -> says(object, FLUX + "force", "enabled"))
                || says(target, FLUX + "reconcile", "disabled")
                || says(target, FLUX + "ssa", "IfNotPresent")
                || says(target, FLUX + "ssa", "Ignore");
    }

    private static boolean says(JsonNode object, String key, String word) {
        return List.of("labels", "annotations").stream()
                .map(part -> object.path("metadata").path(part).path(key).asText())
                .anyMatch(word::equalsIgnoreCase);
    }

    /** By default it does; a policy of its own takes the default's place. */
    private static boolean isRecreatedByNelm(JsonNode target) {
        var policy = annotation(target, NELM_POLICY);
        return policy.isEmpty()
                || Arrays.stream(policy.toLowerCase(Locale.ROOT).split(",", -1))
                        .map(String::strip)
                        .anyMatch(word -> word.startsWith("before-creation"));
    }

    private static String annotation(JsonNode object, String key) {
        return object.path("metadata").path("annotations").path(key).asText();
    }
}
