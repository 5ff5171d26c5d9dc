package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;

/** OpenShift's kubectl. */
public final class Oc {

    public static final ToolProfile PROFILE = ToolProfile.named("oc", "oc")
            .knownBy(Sign.program("oc"))
            .kubectl("oc")
            .isObserved()
            .advises(Kubectl::choose);

    private Oc() {}
}
