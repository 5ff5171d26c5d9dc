package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;

/** Carvel's kapp. */
public final class Kapp {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("KappJobEdit");
    private static final GuidanceCode OWNED_JOB_EDIT = new GuidanceCode("KappOwnedJobEdit");

    public static final ToolProfile PROFILE = ToolProfile.named("kapp", "kapp")
            .sendsAgainBy("deploy again")
            .knownBy(Sign.program("kapp"))
            .owns(new Ownership(Mark.label("kapp.k14s.io/app"), OWNED_JOB_EDIT))
            .claims("kapp.k14s.io")
            .bringsBack(Return.WITHOUT_A_CHANGE)
            .advises(JOB_EDIT);

    private Kapp() {}
}
