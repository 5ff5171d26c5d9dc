package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.SentEdit;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;

/** Helm 3 and 4. */
public final class Helm {

    static final GuidanceCode HOOK_JOB_EDIT = new GuidanceCode("HelmHookJobEdit");
    private static final GuidanceCode JOB_EDIT = new GuidanceCode("HelmJobEdit");
    private static final GuidanceCode FORCE_JOB_EDIT = new GuidanceCode("HelmForceJobEdit");

    static final Ownership OWNERSHIP = new Ownership(
            Mark.annotation("meta.helm.sh/release-name").or(Mark.annotation("helm.sh/hook")),
            new GuidanceCode("HelmOwnedJobEdit"));

    public static final ToolProfile PROFILE = ToolProfile.named("Helm", "helm")
            .sendsAgainBy("upgrade again")
            .knownBy(Sign.manager("helm"))
            .owns(OWNERSHIP)
            .claims("helm.sh", "meta.helm.sh", "app.kubernetes.io/managed-by")
            // charts give a Job a name with the revision or the version, or render it at the installation alone, and
            // nothing in the Job says so
            .bringsBack(Return.WITH_A_CHANGE)
            .isObserved()
            .delivers(Delivery.by("Helm", "helm", Method.UPDATE)
                    .maybeShownBy(Helm::isOfAChart)
                    .notEditing(ToolMetadata::isHelmHook))
            .advises(Helm::choose, JOB_EDIT, FORCE_JOB_EDIT, HOOK_JOB_EDIT);

    private Helm() {}

    /** What charts put into what they render. */
    private static boolean isOfAChart(ToolMetadata manifest) {
        return manifest.label("app.kubernetes.io/managed-by").equals("Helm") || manifest.hasLabel("helm.sh/chart");
    }

    /** Other programs run Helm, too. */
    static GuidanceCode choose(SentEdit edit) {
        if (edit.marks().isHelmHook()) {
            return HOOK_JOB_EDIT;
        }
        return edit.isReplace() ? FORCE_JOB_EDIT : JOB_EDIT;
    }
}
