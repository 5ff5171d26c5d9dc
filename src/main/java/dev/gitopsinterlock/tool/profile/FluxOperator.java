package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;
import java.util.List;
import java.util.Map;

/**
 * The Flux Operator, which applies ResourceSets itself. In controlplaneio-fluxcd/flux-operator 0.58.1,
 * internal/controller/resourceset_controller.go applies server-side as {@code flux-operator} and recreates what has the
 * annotation, as Flux does for its own.
 */
public final class FluxOperator {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("FluxOperatorJobEdit");
    private static final String OWNER = "resourceset.fluxcd.controlplane.io";
    private static final String FORCE = "fluxcd.controlplane.io/force";

    public static final ToolProfile PROFILE = ToolProfile.named("Flux Operator", "flux-operator")
            .sendsAgainBy("reconcile again")
            .knownBy(Sign.account("flux-operator"), Sign.manager("flux-operator"))
            .owns(new Ownership(Mark.label(OWNER + "/name"), FluxKustomization.OWNED_JOB_EDIT))
            .claims(OWNER, "fluxcd.controlplane.io")
            .reconciles()
            .delivers(Delivery.by("the Flux Operator", "flux-operator", Method.APPLY)
                    .shownBy(Delivery.markOf(OWNER).or(Delivery.markOf("fluxcd.controlplane.io")))
                    .treating((manifest, live) -> FluxKustomization.unlessForced(FORCE, manifest, live))
                    .fixedBy(Map.of(JOB_EDIT.token(), new Fix(FORCE, List.of("enabled")))))
            .advises(JOB_EDIT);

    private FluxOperator() {}
}
