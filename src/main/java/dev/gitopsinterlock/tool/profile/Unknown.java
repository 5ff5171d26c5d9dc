package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.ToolProfile;

/** Everything else. */
public final class Unknown {

    public static final ToolProfile PROFILE = ToolProfile.named("anything else", "unknown")
            .delivers(Delivery.BY_ANOTHER)
            .advises(GuidanceCode.JOB_EDIT);

    private Unknown() {}
}
