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
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Carvel's kapp. */
public final class Kapp {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("KappJobEdit");
    private static final GuidanceCode OWNED_JOB_EDIT = new GuidanceCode("KappOwnedJobEdit");

    private static final String STRATEGY = "kapp.k14s.io/update-strategy";
    private static final Set<String> RECREATES = Set.of("fallback-on-replace", "always-replace", "skip");

    private static final Set<String> LEAVES =
            Set.of("kapp.k14s.io/versioned", "kapp.k14s.io/noop", "kapp.k14s.io/exists");

    public static final ToolProfile PROFILE = ToolProfile.named("kapp", "kapp")
            .sendsAgainBy("deploy again")
            .knownBy(Sign.program("kapp"))
            .owns(new Ownership(Mark.label("kapp.k14s.io/app"), OWNED_JOB_EDIT))
            .claims("kapp.k14s.io")
            .bringsBack(Return.WITHOUT_A_CHANGE)
            .delivers(Delivery.by("kapp", "kapp", Method.UPDATE)
                    .shownBy(Delivery.markOf("kapp.k14s.io"))
                    .notEditing(Kapp::isNotEdited)
                    .fixedBy(Map.of(JOB_EDIT.token(), new Fix(STRATEGY, List.of("fallback-on-replace")))))
            .advises(JOB_EDIT);

    private Kapp() {}

    /** It recreates the object, makes one of another name at each change, or leaves what is there (kapp 0.64, docs: apply, diff). */
    private static boolean isNotEdited(ToolMetadata manifest) {
        return RECREATES.contains(manifest.annotation(STRATEGY))
                || LEAVES.stream().anyMatch(manifest::hasAnnotation);
    }
}
