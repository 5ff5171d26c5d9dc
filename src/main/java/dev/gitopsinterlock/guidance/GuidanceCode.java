package dev.gitopsinterlock.guidance;

import java.util.List;
import java.util.stream.Stream;

/**
 * The stable name of an advice: log key, metric label, audit annotation, golden text and page
 * ({@code docs/guidance/<Code>.md}) all carry it, so that one search finds them together. Here are those that hold
 * whatever tool is used; the others are in the tools' profiles.
 *
 * @param token the PascalCase form, as Kubernetes writes reasons
 */
public record GuidanceCode(String token) {

    public static final GuidanceCode JOB_EDIT = new GuidanceCode("JobEdit");
    public static final GuidanceCode COPIED_JOB_MANIFEST = new GuidanceCode("CopiedJobManifest");
    public static final GuidanceCode COMPLETIONS_WITHOUT_PARALLELISM =
            new GuidanceCode("CompletionsWithoutParallelism");
    public static final GuidanceCode JOB_TEMPLATE_LABELS_EDIT = new GuidanceCode("JobTemplateLabelsEdit");
    public static final GuidanceCode REPLACE_ACTIVE_JOB = new GuidanceCode("ReplaceActiveJob");
    public static final GuidanceCode REPLACE_JOB_WITH_FINALIZER = new GuidanceCode("ReplaceJobWithFinalizer");
    public static final GuidanceCode REPLACE_JOB_OF_ANOTHER_CONTROLLER =
            new GuidanceCode("ReplaceJobOfAnotherController");
    public static final GuidanceCode REPLACE_ARGO_CD_HOOK = new GuidanceCode("ReplaceArgoCdHook");
    public static final GuidanceCode RIGHTS_MISSING = new GuidanceCode("RightsMissing");
    public static final GuidanceCode REQUESTER_NOT_IMPERSONATED = new GuidanceCode("RequesterNotImpersonated");
    public static final GuidanceCode NEW_JOB_REFUSED = new GuidanceCode("NewJobRefused");
    public static final GuidanceCode NOT_REPLACED_NOW = new GuidanceCode("NotReplacedNow");
    public static final GuidanceCode RUN_NOT_STARTED = new GuidanceCode("RunNotStarted");
    public static final GuidanceCode OLD_JOB_GONE = new GuidanceCode("OldJobGone");

    public static final GuidanceCode STATEFUL_SET_PODS_EDIT = new GuidanceCode("StatefulSetPodsEdit");
    public static final GuidanceCode STATEFUL_SET_NOT_REPLACED = new GuidanceCode("StatefulSetNotReplaced");
    public static final GuidanceCode STATEFUL_SET_GONE = new GuidanceCode("StatefulSetGone");

    public static final GuidanceCode UNKNOWN_POLICY_VALUE = new GuidanceCode("UnknownPolicyValue");
    public static final GuidanceCode ROLLOUT_HELD = new GuidanceCode("RolloutHeld");
    public static final GuidanceCode ROLLOUT_AHEAD = new GuidanceCode("RolloutAhead");

    public static final GuidanceCode CUSTOM_RESOURCE_RULE = new GuidanceCode("CustomResourceRule");
    public static final GuidanceCode FIXED_VERSION = new GuidanceCode("FixedVersion");

    /** Whether the object that was edited is there no more. */
    boolean isObjectGone() {
        return equals(OLD_JOB_GONE) || equals(STATEFUL_SET_GONE);
    }

    /** The codes of refused edits of Jobs. */
    public static final List<GuidanceCode> OF_JOB_EDITS = List.of(
            JOB_EDIT,
            COPIED_JOB_MANIFEST,
            COMPLETIONS_WITHOUT_PARALLELISM,
            JOB_TEMPLATE_LABELS_EDIT,
            REPLACE_ACTIVE_JOB,
            REPLACE_JOB_WITH_FINALIZER,
            REPLACE_JOB_OF_ANOTHER_CONTROLLER,
            REPLACE_ARGO_CD_HOOK,
            RIGHTS_MISSING,
            REQUESTER_NOT_IMPERSONATED,
            NEW_JOB_REFUSED,
            NOT_REPLACED_NOW,
            RUN_NOT_STARTED,
            OLD_JOB_GONE);

    /** The codes of refused edits of other kinds. */
    public static final List<GuidanceCode> OF_OBJECT_EDITS = Stream.of(
                    "StatefulSetEdit",
                    "StatefulSetClaimsEdit",
                    "StatefulSetClaimShrinkEdit",
                    "StatefulSetClaimClassEdit",
                    "StatefulSetClaimLabelsEdit",
                    "StatefulSetPodsEdit",
                    "StatefulSetNotReplaced",
                    "StatefulSetGone",
                    "SelectorEdit",
                    "PersistentVolumeClaimEdit",
                    "PersistentVolumeEdit",
                    "RoleRefEdit",
                    "StorageClassEdit",
                    "VolumeAttributesClassEdit",
                    "CSIDriverEdit",
                    "IngressClassEdit",
                    "PriorityClassEdit",
                    "RuntimeClassEdit",
                    "ResourceClaimEdit",
                    "ResourceClaimTemplateEdit",
                    "ImmutableDataEdit",
                    "SecretTypeEdit",
                    "HelmForceEdit")
            .map(GuidanceCode::new)
            .toList();

    /** The codes of what the command line alone finds. */
    public static final List<GuidanceCode> OF_CHECKS = List.of(CUSTOM_RESOURCE_RULE, FIXED_VERSION);

    /** The codes of everything else. */
    public static final List<GuidanceCode> OF_OTHERS = List.of(UNKNOWN_POLICY_VALUE, ROLLOUT_HELD, ROLLOUT_AHEAD);
}
