package dev.gitopsinterlock.tool;

import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.Recipient;
import dev.gitopsinterlock.tool.ToolProfile.Return;
import dev.gitopsinterlock.tool.profile.ArgoCd;
import dev.gitopsinterlock.tool.profile.ArgoCdUi;
import dev.gitopsinterlock.tool.profile.ConfigSync;
import dev.gitopsinterlock.tool.profile.Crossplane;
import dev.gitopsinterlock.tool.profile.Fleet;
import dev.gitopsinterlock.tool.profile.FluxHelmRelease;
import dev.gitopsinterlock.tool.profile.FluxKustomization;
import dev.gitopsinterlock.tool.profile.FluxOperator;
import dev.gitopsinterlock.tool.profile.Helm;
import dev.gitopsinterlock.tool.profile.K3sHelmChart;
import dev.gitopsinterlock.tool.profile.Kapp;
import dev.gitopsinterlock.tool.profile.Kluctl;
import dev.gitopsinterlock.tool.profile.Kubectl;
import dev.gitopsinterlock.tool.profile.Nelm;
import dev.gitopsinterlock.tool.profile.Oc;
import dev.gitopsinterlock.tool.profile.Pulumi;
import dev.gitopsinterlock.tool.profile.Skaffold;
import dev.gitopsinterlock.tool.profile.Spinnaker;
import dev.gitopsinterlock.tool.profile.Terraform;
import dev.gitopsinterlock.tool.profile.TerraformHelm;
import dev.gitopsinterlock.tool.profile.Timoni;
import dev.gitopsinterlock.tool.profile.Unknown;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The tools that are told apart, as requester of a change or as owner of an object. They are asked in this order whether
 * a request is theirs. A new one is a line here and its profile.
 */
public enum Tool implements Recipient {
    ARGO_CD_UI(ArgoCdUi.PROFILE),
    ARGO_CD(ArgoCd.PROFILE),
    FLEET(Fleet.PROFILE),
    CONFIG_SYNC(ConfigSync.PROFILE),
    CROSSPLANE(Crossplane.PROFILE),
    FLUX_KUSTOMIZATION(FluxKustomization.PROFILE),
    FLUX_HELM_RELEASE(FluxHelmRelease.PROFILE),
    FLUX_OPERATOR(FluxOperator.PROFILE),
    K3S_HELM_CHART(K3sHelmChart.PROFILE),
    KLUCTL(Kluctl.PROFILE),
    TIMONI(Timoni.PROFILE),
    KAPP(Kapp.PROFILE),
    NELM(Nelm.PROFILE),
    HELM(Helm.PROFILE),
    TERRAFORM_HELM(TerraformHelm.PROFILE),
    TERRAFORM(Terraform.PROFILE),
    PULUMI(Pulumi.PROFILE),
    SKAFFOLD(Skaffold.PROFILE),
    SPINNAKER(Spinnaker.PROFILE),
    OC(Oc.PROFILE),
    KUBECTL(Kubectl.PROFILE),
    UNKNOWN(Unknown.PROFILE);

    /**
     * Those whose objects show it, in the order in which they are asked. Objects of the others often carry Helm's
     * marks as well, so Helm comes after them.
     */
    static final List<Tool> OWNERS = List.of(
            ARGO_CD,
            FLUX_KUSTOMIZATION,
            FLUX_HELM_RELEASE,
            FLUX_OPERATOR,
            FLEET,
            CONFIG_SYNC,
            KLUCTL,
            TIMONI,
            SPINNAKER,
            HELM,
            KAPP,
            CROSSPLANE);

    // made of values and of functions that hold nothing
    @SuppressWarnings("ImmutableEnumChecker")
    private final ToolProfile profile;

    Tool(ToolProfile profile) {
        this.profile = profile;
    }

    public ToolProfile profile() {
        return profile;
    }

    @Override
    public String label() {
        return profile.label();
    }

    @Override
    public String kubectl() {
        return profile.kubectl();
    }

    @Override
    public String title() {
        return profile.title();
    }

    @Override
    public String again() {
        return profile.again();
    }

    /** How it brings manifests to a cluster. */
    public Delivery delivery() {
        return profile.delivery().orElse(Delivery.BY_ANOTHER);
    }

    /** The tools that a manifest can be on its way to; {@link #UNKNOWN} for any other. */
    public static List<Tool> deployers() {
        return Arrays.stream(values())
                .filter(tool -> tool.profile.delivery().isPresent())
                .toList();
    }

    /** An annotation that makes its tool do what an advice says; empty where that takes more. */
    public static Optional<Fix> fix(String code) {
        return Arrays.stream(values())
                .flatMap(tool -> Optional.ofNullable(tool.delivery().fixes().get(code)).stream())
                .findFirst();
    }

    /** Whether what it applies is its own. */
    public boolean reconciles() {
        return profile.reconciles();
    }

    /** Whether an object of its own that is gone comes back, at once or with the next release. */
    public boolean bringsBack() {
        return profile.comesBack() != Return.NEVER;
    }

    /** Whether it does so although nothing else changes. */
    public boolean bringsBackWithoutAChange() {
        return profile.comesBack() == Return.WITHOUT_A_CHANGE;
    }

    /** Every code that is some tool's. */
    public static List<GuidanceCode> codes() {
        return Arrays.stream(values())
                .map(Tool::profile)
                .flatMap(profile -> Stream.concat(
                        profile.codes().stream(), profile.ownership().stream().map(Ownership::advice)))
                .distinct()
                .toList();
    }
}
