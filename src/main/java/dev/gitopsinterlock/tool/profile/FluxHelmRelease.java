package dev.gitopsinterlock.tool.profile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.AppliedFolder;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;
import java.util.List;
import java.util.stream.Stream;

/** Flux's helm-controller. */
public final class FluxHelmRelease {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("FluxHelmReleaseJobEdit");

    public static final ToolProfile PROFILE = ToolProfile.named("Flux HelmRelease", "flux-helmrelease")
            .sendsAgainBy("reconcile the HelmRelease again")
            .knownBy(Sign.account("helm-controller"), Sign.manager("helm-controller"))
            .owns(new Ownership(Mark.label("helm.toolkit.fluxcd.io/name"), FluxKustomization.OWNED_JOB_EDIT))
            .claims("helm.toolkit.fluxcd.io")
            .reconciles()
            .isObserved()
            .delivers(Delivery.by("Flux", "helm-controller", Method.APPLY)
                    .shownBy(Delivery.markOf("helm.toolkit.fluxcd.io"))
                    .notEditing(ToolMetadata::isHelmHook)
                    .applying((file, object) -> folders(object)))
            .advises(edit -> edit.marks().isHelmHook() ? Helm.HOOK_JOB_EDIT : JOB_EDIT, JOB_EDIT);

    private FluxHelmRelease() {}

    /** A chart of the same repository. */
    private static List<AppliedFolder> folders(JsonNode object) {
        var spec = object.path("spec");
        var chart = spec.at("/chart/spec");
        var path = chart.path("chart").asText();
        return object.path("kind").asText().equals("HelmRelease") && path.startsWith(".")
                ? List.of(new AppliedFolder(
                                AppliedFolder.literal(path),
                                spec.path("targetNamespace").asText(),
                                "",
                                false)
                        .withValues(Stream.of(spec, chart), "values", "valuesFrom", "valuesFiles"))
                : List.of();
    }
}
