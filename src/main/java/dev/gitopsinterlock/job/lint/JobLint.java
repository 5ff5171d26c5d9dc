package dev.gitopsinterlock.job.lint;

import com.fasterxml.jackson.core.JsonPointer;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.argocd.ArgoCdHook;
import dev.gitopsinterlock.argocd.ArgoCdKeys;
import dev.gitopsinterlock.argocd.SyncOptions;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.guidance.LintFinding;
import dev.gitopsinterlock.guidance.MisplacedKey;
import dev.gitopsinterlock.job.TtlDefault;
import dev.gitopsinterlock.policy.PolicySettings;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.MarkLint;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Mistakes in a new Job that no tool complains about. Argo CD's annotations are read whoever sends the Job: the same
 * file goes through other hands before it comes to Argo CD.
 */
public final class JobLint {

    private static final JsonPointer TEMPLATE_ANNOTATIONS = JsonPointer.compile("/spec/template/metadata/annotations");

    /** What nobody reads on a Pod. */
    private static final List<String> OF_A_JOB = List.of(
            ArgoCdKeys.HOOK,
            ArgoCdKeys.HOOK_DELETE_POLICY,
            ArgoCdKeys.SYNC_OPTIONS,
            ArgoCdKeys.SYNC_WAVE,
            "helm.sh/hook",
            "helm.sh/hook-delete-policy",
            "helm.sh/hook-weight",
            "kustomize.toolkit.fluxcd.io/force",
            PolicySettings.ON_IMMUTABLE_CHANGE.annotation());

    /** Without the zeros it fits into 64 bits, as Argo CD wants it. */
    private static final Pattern INTEGER = Pattern.compile("[+-]?0*[0-9]{1,18}");

    private JobLint() {}

    /** Everything that is wrong, in the order of {@code docs/advice.md}. */
    public static List<Warning> of(Change change) {
        var owner = ToolDetection.owner(new ToolMetadata(change.after()));
        var hook = ArgoCdHook.of(
                change.after(),
                change.tool() == Tool.ARGO_CD
                        || owner.filter(Tool.ARGO_CD::equals).isPresent());
        var annotations = hook.annotations();
        var found = new ArrayList<Warning>(ArgoCdKeys.unknown(annotations));
        addIf(found, hook.hasUnknownType(), LintFinding.UNKNOWN_HOOK);
        addIf(found, hook.hasUnknownDeletePolicy(), LintFinding.UNKNOWN_DELETE_POLICY);
        addIf(found, hook.hasDeletePolicyAlone(), LintFinding.DELETE_POLICY_WITHOUT_HOOK);
        addIf(found, hook.isStoppedByALeftover(), LintFinding.LEFTOVER_STOPS_HOOK);
        addIf(found, hook.isArgoCds() && hook.hasNameBesideGenerateName(), LintFinding.NAME_BESIDE_GENERATE_NAME);
        addIf(
                found,
                change.tool() == Tool.ARGO_CD && !hook.isMarked() && hook.isNameGenerated(),
                LintFinding.GENERATE_NAME_WITHOUT_HOOK);
        addIf(found, isWaveIgnored(annotations), LintFinding.WAVE_NO_INTEGER);
        addOptions(found, change, hook);
        addIf(found, hook.isSuspended(), LintFinding.SUSPENDED_HOOK);
        addIf(found, hook.hasUnknownHelmType(), LintFinding.UNKNOWN_HELM_HOOK);
        addIf(found, hook.hasUnknownHelmDeletePolicy(), LintFinding.UNKNOWN_HELM_DELETE_POLICY);
        addIf(found, hook.hasHelmDeletePolicyAlone(), LintFinding.HELM_DELETE_POLICY_WITHOUT_HOOK);
        addIf(found, isRunAgainByItsTtl(change, hook), LintFinding.TTL_OF_TRACKED_JOB);
        OF_A_JOB.stream()
                .filter(change.after().at(TEMPLATE_ANNOTATIONS)::has)
                .filter(key -> !annotations.containsKey(key))
                .map(MisplacedKey::new)
                .forEach(found::add);
        found.addAll(MarkLint.of(change.after()));
        return List.copyOf(found);
    }

    /** What cannot change a Job does not matter to a hook, or where each one has a name of its own. */
    private static void addOptions(List<Warning> found, Change change, ArgoCdHook hook) {
        var options = SyncOptions.of(hook.annotations().getOrDefault(ArgoCdKeys.SYNC_OPTIONS, ""));
        addIf(found, options.isForceMisspelt(), LintFinding.FORCE_MISSPELT);
        addIf(found, options.isReplaceMisspelt(), LintFinding.REPLACE_MISSPELT);
        if (hook.isMarked() || hook.isNameGenerated()) {
            return;
        }
        addIf(
                found,
                options.replace() && !options.force() && !options.isForceMisspelt(),
                LintFinding.REPLACE_WITHOUT_FORCE);
        addIf(
                found,
                options.force()
                        && !options.replace()
                        && !options.isReplaceMisspelt()
                        && change.tool() == Tool.ARGO_CD
                        && change.manager().method() == Method.APPLY,
                LintFinding.FORCE_WITHOUT_REPLACE);
    }

    private static boolean isWaveIgnored(Map<String, String> annotations) {
        var wave = annotations.get(ArgoCdKeys.SYNC_WAVE);
        return wave != null && !INTEGER.matcher(wave).matches();
    }

    /** A hook runs when its tool says so, and a Job with a generated name never comes back under the same one. */
    private static boolean isRunAgainByItsTtl(Change change, ArgoCdHook hook) {
        return TtlDefault.isSet(change.after())
                && !hook.isMarked()
                && !hook.isNameGenerated()
                && Stream.concat(
                                Stream.of(change.tool()),
                                ToolDetection.owner(new ToolMetadata(change.after())).stream())
                        .anyMatch(Tool::bringsBackWithoutAChange);
    }

    private static void addIf(List<Warning> found, boolean isWrong, LintFinding advice) {
        if (isWrong) {
            found.add(advice);
        }
    }
}
