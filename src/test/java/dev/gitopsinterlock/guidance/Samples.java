package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.config.GuidancePages;
import dev.gitopsinterlock.guidance.UnknownPolicyValue.Level;
import dev.gitopsinterlock.tool.Tool;
import java.time.Instant;
import java.util.List;

/** One typical finding for each code. */
final class Samples {

    static final GuidanceText TEXT = GuidancePages.text("https://gitops-interlock.dev/guidance/");
    static final ObjectName JOB = new ObjectName("shop", "db-migrate");
    static final String IMAGE = "spec.template.spec.containers[0].image";

    static final UnknownPolicyValue UNKNOWN_VALUE = new UnknownPolicyValue(
            Level.NAMESPACE,
            "gitops-interlock.dev/on-immutable-change",
            "Replcae",
            List.of("Reject", "Replace", "GenerateName", "Ignore"));

    static final RolloutText ROLLOUTS = new RolloutText("https://gitops-interlock.dev/guidance/");
    static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    static final RolloutHeld HELD =
            new RolloutHeld("worker", List.of("payments", "platform"), NOON, NOON.plusSeconds(20 * 60));

    static final RolloutAhead AHEAD = new RolloutAhead(
            List.of("infra", "worker"), List.of("payments", "platform"), NOON.plusSeconds(22 * 60 + 1));

    static final RolloutAhead AHEAD_OF_MANY = new RolloutAhead(
            List.of("infra", "storage", "worker", "gpu"),
            List.of("cluster-configuration-production", "payments", "platform", "shop", "warehouse"),
            NOON.plusSeconds(22 * 60));

    private Samples() {}

    static JobEditGuidance refusal(GuidanceCode code) {
        return new JobEditGuidance(code, sender(code), JOB, List.of(field(code)), reason(code));
    }

    static String reason(GuidanceCode code) {
        return switch (code) {
            case RIGHTS_MISSING -> "delete and create";
            case REQUESTER_NOT_IMPERSONATED -> "nobody may act as a member of system:masters";
            case NEW_JOB_REFUSED -> "jobs.batch \"db-migrate\" is forbidden: exceeded quota: few-jobs";
            case NOT_REPLACED_NOW, RUN_NOT_STARTED -> "the API server did not answer in time";
            case OLD_JOB_GONE -> "the API server answered with HTTP status 500";
            default -> "";
        };
    }

    private static String field(GuidanceCode code) {
        return switch (code) {
            case COPIED_JOB_MANIFEST -> "spec.template.metadata.labels[batch.kubernetes.io/controller-uid]";
            case COMPLETIONS_WITHOUT_PARALLELISM -> "spec.completions";
            default -> IMAGE;
        };
    }

    private static Tool sender(GuidanceCode code) {
        return switch (code) {
            case ARGO_CD_JOB_EDIT,
                    ARGO_CD_SERVER_SIDE_APPLY_JOB_EDIT,
                    ARGO_CD_REPLACE_WITHOUT_FORCE,
                    ARGO_CD_HOOK_JOB_EDIT -> Tool.ARGO_CD;
            case FLUX_KUSTOMIZATION_JOB_EDIT -> Tool.FLUX_KUSTOMIZATION;
            case FLUX_HELM_RELEASE_JOB_EDIT -> Tool.FLUX_HELM_RELEASE;
            case FLEET_JOB_EDIT -> Tool.FLEET;
            case HELM_JOB_EDIT, HELM_FORCE_JOB_EDIT, HELM_HOOK_JOB_EDIT -> Tool.HELM;
            case KAPP_JOB_EDIT -> Tool.KAPP;
            case JOB_EDIT -> Tool.UNKNOWN;
            default -> Tool.KUBECTL;
        };
    }
}
