package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;

/** Flux's kustomize-controller. */
public final class FluxKustomization {

    static final GuidanceCode OWNED_JOB_EDIT = new GuidanceCode("FluxOwnedJobEdit");
    private static final GuidanceCode JOB_EDIT = new GuidanceCode("FluxKustomizationJobEdit");

    public static final ToolProfile PROFILE = ToolProfile.named("Flux Kustomization", "flux-kustomization")
            .sendsAgainBy("reconcile the Kustomization again")
            .knownBy(Sign.account("kustomize-controller"), Sign.manager("kustomize-controller"))
            .owns(new Ownership(Mark.label("kustomize.toolkit.fluxcd.io/name"), OWNED_JOB_EDIT))
            .claims("kustomize.toolkit.fluxcd.io")
            .reconciles()
            .isObserved()
            .advises(JOB_EDIT);

    private FluxKustomization() {}
}
