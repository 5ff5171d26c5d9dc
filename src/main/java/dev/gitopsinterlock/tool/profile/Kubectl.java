package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.SentEdit;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;

/** A person with kubectl, or a script. */
public final class Kubectl {

    private static final String APPLY = "kubectl-client-side-apply";

    private static final GuidanceCode APPLY_JOB_EDIT = new GuidanceCode("KubectlApplyJobEdit");
    private static final GuidanceCode SERVER_SIDE_APPLY_JOB_EDIT = new GuidanceCode("KubectlServerSideApplyJobEdit");
    private static final GuidanceCode REPLACE_JOB_EDIT = new GuidanceCode("KubectlReplaceJobEdit");
    private static final GuidanceCode LIVE_JOB_EDIT = new GuidanceCode("KubectlLiveJobEdit");

    public static final ToolProfile PROFILE = ToolProfile.named("kubectl", "kubectl")
            .knownBy(Sign.program("kubectl"))
            .claims("kubectl.kubernetes.io/last-applied-configuration")
            .isObserved()
            .delivers(Delivery.by("kubectl", APPLY, Method.UPDATE))
            .advises(Kubectl::choose, APPLY_JOB_EDIT, SERVER_SIDE_APPLY_JOB_EDIT, REPLACE_JOB_EDIT, LIVE_JOB_EDIT);

    private Kubectl() {}

    /** Another program runs {@code kubectl apply} and marks what it applies; a person's own apply takes the mark off. */
    static Sign appliesWith(Mark mark) {
        return new Sign(
                "",
                "`%s`, where the Job has the %s".formatted(APPLY, mark.words()),
                sender -> sender.manager().name().equals(APPLY) && mark.isOn().test(sender.sent()));
    }

    /** What oc sends looks the same. */
    static GuidanceCode choose(SentEdit edit) {
        var manager = edit.manager().name();
        if (edit.isReplace() || manager.endsWith("-replace")) {
            return REPLACE_JOB_EDIT;
        }
        if (manager.endsWith("-client-side-apply")) {
            return APPLY_JOB_EDIT;
        }
        return edit.manager().method() == Method.APPLY ? SERVER_SIDE_APPLY_JOB_EDIT : LIVE_JOB_EDIT;
    }
}
