package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;

/**
 * Skaffold, where it deploys by kubectl; where it runs Helm, nothing tells the two apart. In
 * GoogleContainerTools/skaffold 2.24.0, pkg/skaffold/deploy/kubectl/cli.go runs {@code kubectl apply}, with
 * {@code --force} where Skaffold has it, and pkg/skaffold/deploy/label/labeller.go labels what it applies. A person who
 * edits such a Job by other means gets the advice of these: nothing takes the edit back.
 */
public final class Skaffold {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("SkaffoldJobEdit");

    public static final ToolProfile PROFILE = ToolProfile.named("Skaffold", "skaffold")
            .sendsAgainBy("run Skaffold again")
            .knownBy(Kubectl.appliesWith(Mark.label("skaffold.dev/run-id")))
            .bringsBack(Return.WITHOUT_A_CHANGE)
            .advises(JOB_EDIT);

    private Skaffold() {}
}
