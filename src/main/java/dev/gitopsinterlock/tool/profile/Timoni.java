package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;
import dev.gitopsinterlock.tool.Treatment;
import java.util.List;
import java.util.Map;

/**
 * Timoni. In stefanprodan/timoni 0.33.0, internal/runtime/resources.go applies by Flux's library, server-side as
 * {@code timoni}, labels what it applies, recreates what has one annotation and never edits what has another
 * (api/v1alpha1/actions.go).
 */
public final class Timoni {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("TimoniJobEdit");
    private static final String OWNER = "instance.timoni.sh";
    private static final String ACTION = "action.timoni.sh";
    private static final String FORCE = ACTION + "/force";

    public static final ToolProfile PROFILE = ToolProfile.named("Timoni", "timoni")
            .knownBy(Sign.manager("timoni"))
            .owns(new Ownership(Mark.label(OWNER + "/name"), JOB_EDIT))
            .claims(OWNER)
            .bringsBack(Return.WITHOUT_A_CHANGE)
            .delivers(Delivery.by("Timoni", "timoni", Method.APPLY)
                    .shownBy(Delivery.markOf(OWNER).or(Delivery.markOf(ACTION)))
                    .treating(Timoni::treatment)
                    .fixedBy(Map.of(JOB_EDIT.token(), new Fix(FORCE, List.of("enabled")))))
            .advises(JOB_EDIT);

    private Timoni() {}

    private static Treatment treatment(ToolMetadata manifest, ToolMetadata live) {
        return FluxKustomization.says(manifest, ACTION + "/one-off", "enabled")
                ? Treatment.NOT_EDITED
                : FluxKustomization.unlessForced(FORCE, manifest, live);
    }
}
