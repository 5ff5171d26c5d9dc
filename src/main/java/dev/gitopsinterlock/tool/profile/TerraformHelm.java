package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;

/**
 * Terraform's Helm provider, in Terraform or OpenTofu. hashicorp/terraform-provider-helm 3.1.2 upgrades by Helm 3's
 * library (helm/resource_helm_release.go), which takes the program's name for its field manager where nobody sets one
 * (helm/helm, pkg/kube/client.go): {@code terraform-provider-helm_v3.1.2_x5}. It owns as Helm does.
 */
public final class TerraformHelm {

    public static final ToolProfile PROFILE = ToolProfile.named("Terraform's Helm provider", "terraform-helm")
            .sendsAgainBy("run terraform apply again")
            .knownBy(Sign.managerBeginningWith("terraform-provider-helm"))
            .owns(Helm.OWNERSHIP)
            .bringsBack(Return.WITH_A_CHANGE)
            .advises(Helm::choose);

    private TerraformHelm() {}
}
