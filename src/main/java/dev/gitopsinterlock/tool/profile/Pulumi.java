package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;

/**
 * Pulumi's kubernetes provider. In pulumi/pulumi-kubernetes, provider/pkg/provider/provider.go names its field manager
 * (fieldManagerName), provider/pkg/provider/diff.go lists what makes it replace a Job by itself, and
 * provider/pkg/await/await.go sends the rest as an update.
 */
public final class Pulumi {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("PulumiJobEdit");

    public static final ToolProfile PROFILE = ToolProfile.named("Pulumi", "pulumi")
            .sendsAgainBy("run pulumi up --refresh")
            .knownBy(Sign.program("pulumi-kubernetes"))
            .bringsBack(Return.WITH_A_CHANGE)
            .delivers(Delivery.by("Pulumi", "pulumi-kubernetes", Method.APPLY))
            .advises(JOB_EDIT);

    private Pulumi() {}
}
