package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;

/**
 * Terraform's kubernetes provider, in Terraform or OpenTofu. In hashicorp/terraform-provider-kubernetes,
 * manifest/provider/apply.go and plan.go apply a kubernetes_manifest server-side, as field manager Terraform, and replace it
 * for another apiVersion, kind, name or namespace alone. kubernetes/resource_kubernetes_job_v1.go patches without a field
 * manager, so the API server takes HashiCorp from the User-Agent that kubernetes/provider.go sets; what is immutable
 * forces a new Job there (kubernetes/schema_job_spec.go).
 */
public final class Terraform {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("TerraformJobEdit");

    public static final ToolProfile PROFILE = ToolProfile.named("Terraform", "terraform")
            .sendsAgainBy("run terraform apply again")
            .knownBy(Sign.manager("Terraform"), Sign.manager("HashiCorp"))
            .bringsBack(Return.WITHOUT_A_CHANGE)
            .delivers(Delivery.by("Terraform", "Terraform", Method.APPLY))
            .advises(JOB_EDIT);

    private Terraform() {}
}
