package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Sender;
import dev.gitopsinterlock.tool.SentEdit;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * nelm, by itself or in werf. In werf/nelm, pkg/kube/client_kube.go applies server-side with Helm's field manager (and
 * pkg/common/common.go names it), so only werf's annotations tell the two apart: werf sets some on everything that it
 * deploys, and nelm's users set others. pkg/plan/resource_info.go tries each change as a dry run and recreates what is
 * refused as immutable, a Job unless its annotation says otherwise (pkg/resource/metadata.go). It owns as Helm does.
 */
public final class Nelm {

    private static final String DELETE_POLICY = "werf.io/delete-policy";

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("NelmJobEdit");

    public static final ToolProfile PROFILE = ToolProfile.named("nelm", "nelm")
            .sendsAgainBy("install the release again")
            .knownBy(new Sign(
                    "",
                    "`helm` with operation `Apply`, where the Job has an annotation of `werf.io` or `project.werf.io`",
                    Nelm::isSender))
            .owns(Helm.OWNERSHIP)
            .bringsBack(Return.WITHOUT_A_CHANGE)
            .delivers(Delivery.by("nelm", "helm", Method.APPLY)
                    .shownBy(manifest -> manifest.hasAnnotationOf("werf.io"))
                    .notEditing(Nelm::isRecreated)
                    .fixedBy(Map.of(JOB_EDIT.token(), new Fix(DELETE_POLICY, List.of("before-creation-if-immutable")))))
            .advises(Nelm::choose, JOB_EDIT);

    private Nelm() {}

    /** By default it recreates Jobs and hooks; a policy of its own takes the default's place. */
    private static boolean isRecreated(ToolMetadata manifest) {
        var policy = manifest.annotation(DELETE_POLICY);
        return policy.isEmpty()
                ? manifest.object().path("kind").asText().equals("Job") || manifest.isHelmHook()
                : Arrays.stream(policy.toLowerCase(Locale.ROOT).split(",", -1))
                        .map(String::strip)
                        .anyMatch(word -> word.startsWith("before-creation"));
    }

    private static boolean isSender(Sender sender) {
        return sender.manager().name().equals("helm")
                && sender.manager().method() == Method.APPLY
                && (sender.sent().hasAnnotationOf("werf.io") || sender.sent().hasAnnotationOf("project.werf.io"));
    }

    /** Of a hook it reads Helm's annotation, where its own is not there. */
    private static GuidanceCode choose(SentEdit edit) {
        return edit.marks().isHelmHook() && !edit.marks().hasAnnotation(DELETE_POLICY) ? Helm.HOOK_JOB_EDIT : JOB_EDIT;
    }
}
