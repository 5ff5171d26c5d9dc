package dev.gitopsinterlock.argocd;

import dev.gitopsinterlock.guidance.KnownKeys;
import dev.gitopsinterlock.guidance.UnknownKey;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The annotations that Argo CD knows, for telling which ones it does not. */
public final class ArgoCdKeys {

    public static final String DOMAIN = "argocd.argoproj.io";
    public static final String HOOK = DOMAIN + "/hook";
    public static final String HOOK_DELETE_POLICY = DOMAIN + "/hook-delete-policy";
    public static final String IGNORE_DIFFERENCES = DOMAIN + "/ignore-differences";
    public static final String SYNC_OPTIONS = DOMAIN + "/sync-options";
    public static final String SYNC_WAVE = DOMAIN + "/sync-wave";

    /** Annotations that do something on a Job, and so can have been meant. */
    private static final List<String> OF_A_JOB = List.of(
            "compare-options",
            "health-aggregate-overrides",
            "hook",
            "hook-delete-policy",
            "ignore-default-links",
            "ignore-differences",
            "ignore-healthcheck",
            "ignore-resource-updates",
            "sync-options",
            "sync-wave");

    /** Annotations that Argo CD writes, or reads on other objects. */
    private static final Set<String> OTHERS = Set.of(
            "application-set-refresh",
            "auto-label-cluster-info",
            "client-side-apply-migration-manager",
            "deletion-approved",
            "hydrate",
            "hydrate-timestamp",
            "ignore-restart-policy",
            "installation-id",
            "instance",
            "kubernetes-version",
            "managed-by",
            "managed-by-url",
            "manifest-generate-paths",
            "refresh",
            "refresh-timestamp",
            "secret-type",
            "skip-reconcile",
            "tracking-id");

    /** Helm's words, and what Argo CD calls the same. */
    private static final Map<String, String> HELMS = Map.of("hookweight", "sync-wave");

    private static final KnownKeys KEYS =
            new KnownKeys("Argo CD", DOMAIN, Set.of("argoproj.io"), OF_A_JOB, HELMS, OTHERS, true);

    private ArgoCdKeys() {}

    /** In the order of their names. */
    public static List<UnknownKey> unknown(Map<String, String> annotations) {
        return KEYS.unknown(annotations.keySet());
    }
}
