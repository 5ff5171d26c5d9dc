package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.RolloutAhead;
import dev.gitopsinterlock.gate.RolloutHeld;
import dev.gitopsinterlock.policy.UnknownPolicyValue;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;
import dev.gitopsinterlock.testing.review.Gates;
import dev.gitopsinterlock.testing.review.Refusals;
import dev.gitopsinterlock.tool.Tool;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One typical finding for each code. */
final class Samples {

    static final GuidancePages PAGES = PackagedPages.withoutAddress();

    /** Of usual length. */
    static final GuidancePages LINKED =
            PackagedPages.at(Optional.of("https://pages.example.com/gitops/guidance/{code}"));

    static final ObjectName JOB = new ObjectName("shop", "db-migrate");
    static final String IMAGE = "spec.template.spec.containers[0].image";

    static final UnknownPolicyValue UNKNOWN_VALUE = new UnknownPolicyValue(
            Level.NAMESPACE,
            "gitops-interlock.dev/on-immutable-change",
            "Replcae",
            List.of("Reject", "Replace", "GenerateName", "Ignore"));

    static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    static final RolloutHeld HELD = new RolloutHeld(
            Gates.pool("worker"), "", new Syncs(List.of("payments", "platform")), NOON, NOON.plusSeconds(20 * 60));

    static final RolloutAhead AHEAD = new RolloutAhead(
            List.of("infra", "worker"), new Syncs(List.of("payments", "platform")), NOON.plusSeconds(22 * 60 + 1));

    static final RolloutAhead AHEAD_OF_MANY = new RolloutAhead(
            List.of("infra", "storage", "worker", "gpu"),
            new Syncs(List.of("cluster-configuration-production", "payments", "platform", "shop", "warehouse")),
            NOON.plusSeconds(22 * 60));

    private static final Map<String, String> REASONS = Map.of(
            "RightsMissing", "delete and create",
            "RequesterNotImpersonated", "nobody may act as a member of system:masters",
            "NewJobRefused", "jobs.batch \"db-migrate\" is forbidden: exceeded quota: few-jobs",
            "NotReplacedNow", "the API server did not answer in time",
            "RunNotStarted", "the API server did not answer in time",
            "OldJobGone", "the API server answered with HTTP status 500",
            "StatefulSetNotReplaced", "a rollout is under way, or its Pods are not all of its newest revision",
            "StatefulSetGone", "the API server answered with HTTP status 500");

    private static final Map<String, String> FIELDS = Map.of(
            "CopiedJobManifest", "spec.template.metadata.labels[batch.kubernetes.io/controller-uid]",
            "CompletionsWithoutParallelism", "spec.completions",
            "JobTemplateLabelsEdit", "spec.template.metadata.labels[helm.sh/chart]");

    private Samples() {}

    /** All that there are. */
    static List<GuidanceCode> codes() {
        return Stream.concat(PAGES.remedies().keySet().stream().map(GuidanceCode::new), GuidanceCode.OF_OTHERS.stream())
                .toList();
    }

    /** Those of Jobs. */
    static List<GuidanceCode> codesOfJobs() {
        return PAGES.remedies().keySet().stream()
                .map(GuidanceCode::new)
                .filter(code -> !GuidanceCode.OF_OBJECT_EDITS.contains(code) && !GuidanceCode.OF_CHECKS.contains(code))
                .toList();
    }

    static RefusedEdit refusal(GuidanceCode code) {
        return Refusals.of(code, Tool.KUBECTL, JOB, List.of(FIELDS.getOrDefault(code.token(), IMAGE)), reason(code));
    }

    static String reason(GuidanceCode code) {
        return REASONS.getOrDefault(code.token(), "");
    }
}
