package dev.gitopsinterlock.tool.profile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.AppliedFolder;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.Treatment;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Flux's kustomize-controller. */
public final class FluxKustomization {

    static final GuidanceCode OWNED_JOB_EDIT = new GuidanceCode("FluxOwnedJobEdit");
    private static final GuidanceCode JOB_EDIT = new GuidanceCode("FluxKustomizationJobEdit");

    private static final String DOMAIN = "kustomize.toolkit.fluxcd.io/";
    private static final String FORCE = DOMAIN + "force";

    public static final ToolProfile PROFILE = ToolProfile.named("Flux Kustomization", "flux-kustomization")
            .sendsAgainBy("reconcile the Kustomization again")
            .knownBy(Sign.account("kustomize-controller"), Sign.manager("kustomize-controller"))
            .owns(new Ownership(Mark.label("kustomize.toolkit.fluxcd.io/name"), OWNED_JOB_EDIT))
            .claims("kustomize.toolkit.fluxcd.io")
            .reconciles()
            .isObserved()
            .delivers(Delivery.by("Flux", "kustomize-controller", Method.APPLY)
                    .shownBy(Delivery.markOf("kustomize.toolkit.fluxcd.io"))
                    .treating(FluxKustomization::treatment)
                    .applying((file, object) -> folders(object))
                    .fixedBy(Map.of(JOB_EDIT.token(), new Fix(FORCE, List.of("enabled")))))
            .advises(JOB_EDIT);

    private FluxKustomization() {}

    private static List<AppliedFolder> folders(JsonNode object) {
        var spec = object.path("spec");
        return object.path("kind").asText().equals("Kustomization")
                        && object.path("apiVersion").asText().startsWith(DOMAIN)
                        && spec.at("/sourceRef/kind").asText("GitRepository").equals("GitRepository")
                ? List.of(new AppliedFolder(
                        AppliedFolder.literal(spec.path("path").asText()),
                        spec.path("targetNamespace").asText(),
                        "",
                        spec.path("force").asBoolean()))
                : List.of();
    }

    /** Flux reads labels and annotations, in any case, of the manifest and, for force, of the live object. */
    private static Treatment treatment(ToolMetadata manifest, ToolMetadata live) {
        var isLeft = says(manifest, DOMAIN + "reconcile", "disabled")
                || says(manifest, DOMAIN + "ssa", "IfNotPresent")
                || says(manifest, DOMAIN + "ssa", "Ignore");
        return isLeft ? Treatment.NOT_EDITED : unlessForced(FORCE, manifest, live);
    }

    /** As fluxcd/pkg/ssa has it, which the Flux Operator and Timoni use, too. */
    static Treatment unlessForced(String key, ToolMetadata manifest, ToolMetadata live) {
        return Stream.of(manifest, live).anyMatch(object -> says(object, key, "enabled"))
                ? Treatment.NOT_EDITED
                : Treatment.EDITED;
    }

    static boolean says(ToolMetadata object, String key, String word) {
        return Stream.of(object.label(key), object.annotation(key)).anyMatch(word::equalsIgnoreCase);
    }
}
