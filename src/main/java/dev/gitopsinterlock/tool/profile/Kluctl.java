package dev.gitopsinterlock.tool.profile;

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
import java.util.stream.Stream;

/**
 * Kluctl, its command line or its controller. In kluctl/kluctl 2.28.2, pkg/deployment/utils/apply_utils.go applies
 * server-side as {@code kluctl} and, if told to for all objects, tries a PUT and a new object where that fails;
 * hooks_util.go there deletes hooks before it creates them, and pkg/deployment/deployment_item.go annotates all that is
 * deployed.
 */
public final class Kluctl {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("KluctlJobEdit");
    private static final String DOMAIN = "kluctl.io";

    public static final ToolProfile PROFILE = ToolProfile.named("Kluctl", "kluctl")
            .sendsAgainBy("deploy again")
            .knownBy(Sign.manager("kluctl"))
            .owns(new Ownership(Mark.annotation(DOMAIN + "/deployment-item-dir"), JOB_EDIT))
            .claims(DOMAIN)
            .bringsBack(Return.WITHOUT_A_CHANGE)
            .delivers(Delivery.by("Kluctl", "kluctl", Method.APPLY)
                    .shownBy(Delivery.markOf(DOMAIN))
                    .treating((manifest, live) -> treatment(manifest)))
            .advises(JOB_EDIT);

    private Kluctl() {}

    /** Kluctl reads Helm's hooks, too. */
    private static Treatment treatment(ToolMetadata manifest) {
        if (Stream.of("/delete", "/ignore")
                .anyMatch(key -> manifest.annotation(DOMAIN + key).equals("true"))) {
            return Treatment.NOT_EDITED;
        }
        if (!manifest.isHelmHook() && !manifest.hasAnnotation(DOMAIN + "/hook")) {
            return Treatment.EDITED;
        }
        var policies = manifest.annotation(DOMAIN + "/hook-delete-policy") + ","
                + manifest.annotation("helm.sh/hook-delete-policy");
        return policies.equals(",") || policies.contains("before-hook-creation")
                ? Treatment.NOT_EDITED
                : Treatment.EDITED_IF_LEFT_OVER;
    }
}
