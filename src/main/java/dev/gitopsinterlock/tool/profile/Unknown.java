package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.ToolProfile;

/** Everything else. */
public final class Unknown {

    public static final ToolProfile PROFILE = ToolProfile.named("anything else", "unknown")
            .delivers(Delivery.by("another tool", "", Method.UNKNOWN))
            .advises(GuidanceCode.JOB_EDIT);

    private Unknown() {}
}
