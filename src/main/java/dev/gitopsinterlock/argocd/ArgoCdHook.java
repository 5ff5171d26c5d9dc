package dev.gitopsinterlock.argocd;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.GeneratedName;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Job's marks of a hook, read as Argo CD reads them: exact words, and unknown ones do not count.
 *
 * @param job with its name, given or generated
 * @param annotations of the Job
 * @param runByArgoCd whether Argo CD deploys the Job, and takes Helm's hooks for its own
 */
public record ArgoCdHook(JsonNode job, Map<String, String> annotations, boolean runByArgoCd) {

    private static final String HELM_HOOK = "helm.sh/hook";
    private static final String HELM_DELETE_POLICY = "helm.sh/hook-delete-policy";

    private static final Set<String> SYNC_PHASES = Set.of("PreSync", "Sync", "PostSync", "SyncFail");
    private static final Set<String> OTHER_TYPES = Set.of("PreDelete", "PostDelete", "Skip");
    private static final Set<String> HELM_TYPES = Set.of(
            "pre-install",
            "post-install",
            "pre-upgrade",
            "post-upgrade",
            "pre-rollback",
            "post-rollback",
            "pre-delete",
            "post-delete",
            "test",
            "test-success",
            // of Helm 2; to Argo CD it is one still
            "crd-install");
    private static final Set<String> HELM_SYNC_PHASES =
            Set.of("pre-install", "pre-upgrade", "post-install", "post-upgrade");

    private static final String BEFORE_HOOK_CREATION = "BeforeHookCreation";
    private static final Set<String> DELETE_POLICIES = Set.of(BEFORE_HOOK_CREATION, "HookSucceeded", "HookFailed");
    private static final Map<String, String> HELM_DELETE_POLICIES = Map.of(
            "before-hook-creation", BEFORE_HOOK_CREATION,
            "hook-succeeded", "HookSucceeded",
            "hook-failed", "HookFailed");

    /** After generateName; there can be a revision before the phase. */
    private static final Pattern ARGO_CD_SUFFIX =
            Pattern.compile(".*-(presync|sync|postsync|syncfail|predelete|postdelete)-[0-9]+");

    /**
     * Of a Job.
     *
     * @param runByArgoCd as above
     */
    public static ArgoCdHook of(JsonNode job, boolean runByArgoCd) {
        return new ArgoCdHook(job, ObjectMeta.texts(ObjectMeta.annotations(job)), runByArgoCd);
    }

    /** Whether some tool, Argo CD or Helm, takes the Job for a hook. */
    public boolean isMarked() {
        return has(ArgoCdKeys.HOOK) || has(HELM_HOOK);
    }

    /** Whether Argo CD does: every hook of Helm is one to it, also those, such as tests, that it never runs. */
    public boolean isArgoCds() {
        return has(ArgoCdKeys.HOOK)
                || (runByArgoCd && has(HELM_HOOK) && !"crd-install".equals(annotations.get(HELM_HOOK)));
    }

    public boolean hasUnknownType() {
        return words(ArgoCdKeys.HOOK).anyMatch(word -> !isType(word));
    }

    public boolean hasUnknownDeletePolicy() {
        return words(ArgoCdKeys.HOOK_DELETE_POLICY).anyMatch(word -> !DELETE_POLICIES.contains(word));
    }

    public boolean hasDeletePolicyAlone() {
        return has(ArgoCdKeys.HOOK_DELETE_POLICY) && !isMarked();
    }

    /** Whether Helm leaves the Job out: for one word that it does not know, whatever the others are. */
    public boolean hasUnknownHelmType() {
        var types = annotations.get(HELM_HOOK);
        return types != null
                && !Arrays.stream(types.split(",", -1))
                        .map(word -> word.strip().toLowerCase(Locale.ROOT))
                        .allMatch(HELM_TYPES::contains);
    }

    public boolean hasUnknownHelmDeletePolicy() {
        return words(HELM_DELETE_POLICY)
                .anyMatch(word -> !HELM_DELETE_POLICIES.containsKey(word.toLowerCase(Locale.ROOT)));
    }

    public boolean hasHelmDeletePolicyAlone() {
        return has(HELM_DELETE_POLICY) && !isMarked();
    }

    /** Whether a sync waits for a Job that nobody starts; a queue starts its own. */
    public boolean isSuspended() {
        return isArgoCds()
                && runsInASync()
                && job.path("spec").path("suspend").asBoolean()
                && !ObjectMeta.labels(job).has("kueue.x-k8s.io/queue-name");
    }

    /**
     * Whether a Job that ended one way is still there at the next sync, which then takes its end for that of a new run.
     * One that is deleted however it ends is not; and hooks around an Application's deletion run once.
     */
    public boolean isStoppedByALeftover() {
        if (!runsInASync() || isNameGenerated()) {
            return false;
        }
        var policies = deletePolicies();
        return !policies.contains(BEFORE_HOOK_CREATION) && policies.size() == 1;
    }

    /** Whether generateName was written and has no effect. */
    public boolean hasNameBesideGenerateName() {
        return hasGenerateName() && !name().isEmpty() && !isNameGenerated();
    }

    /** Whether the name is the API server's or Argo CD's. */
    public boolean isNameGenerated() {
        return hasGenerateName() && (isNameOfApiServer() || isNameOfArgoCd());
    }

    /** Whether a sync is what starts it. */
    public boolean runsInASync() {
        var ofArgoCd = words(ArgoCdKeys.HOOK).filter(ArgoCdHook::isType).toList();
        return ofArgoCd.isEmpty()
                ? runByArgoCd && words(HELM_HOOK).anyMatch(HELM_SYNC_PHASES::contains)
                : ofArgoCd.stream().anyMatch(SYNC_PHASES::contains);
    }

    /** The delete policies of both annotations; what holds where there is none deletes before the next run. */
    private Set<String> deletePolicies() {
        var policies = Stream.concat(
                        words(ArgoCdKeys.HOOK_DELETE_POLICY).filter(DELETE_POLICIES::contains),
                        words(HELM_DELETE_POLICY)
                                .filter(HELM_DELETE_POLICIES::containsKey)
                                .map(HELM_DELETE_POLICIES::get))
                .collect(Collectors.toSet());
        return policies.isEmpty() ? Set.of(BEFORE_HOOK_CREATION) : policies;
    }

    private boolean hasGenerateName() {
        return !generateName().isEmpty();
    }

    /** The API server names the Job before validating admission. */
    private boolean isNameOfApiServer() {
        return name().isEmpty() || GeneratedName.isOf(generateName(), name());
    }

    private boolean isNameOfArgoCd() {
        return name().startsWith(generateName())
                && ARGO_CD_SUFFIX.matcher(name()).matches();
    }

    private String name() {
        return ObjectMeta.name(job);
    }

    private String generateName() {
        return job.path("metadata").path("generateName").asText();
    }

    private boolean has(String key) {
        return annotations.containsKey(key);
    }

    /** The words of an annotation that has a list with commas. */
    private Stream<String> words(String key) {
        return listed(annotations.getOrDefault(key, ""));
    }

    /** The words of a list with commas. */
    static Stream<String> listed(String list) {
        return Arrays.stream(list.split(",", -1)).map(String::strip).filter(Predicate.not(String::isEmpty));
    }

    private static boolean isType(String word) {
        return SYNC_PHASES.contains(word) || OTHER_TYPES.contains(word);
    }
}
