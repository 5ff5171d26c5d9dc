package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;

/** A person working through Argo CD's user interface or API server. */
public final class ArgoCdUi {

    public static final ToolProfile PROFILE = ToolProfile.named("Argo CD's user interface or API", "argocd-ui")
            .sendsAgainBy("sync again")
            .knownBy(Sign.accountEndingIn("argocd-server"), Sign.manager("argocd-server"))
            .isObserved()
            .advises(GuidanceCode.JOB_EDIT);

    private ArgoCdUi() {}
}
