package dev.gitopsinterlock.argocd;

import dev.gitopsinterlock.guidance.UnknownKey;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

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

    /** The domain that is most often written in place of the right one. */
    private static final String PARENT = "argoproj.io";

    private static final int TYPING_ERRORS = 2;

    /** Nobody needs more to see what went wrong. */
    private static final int MOST = 3;

    private ArgoCdKeys() {}

    /** In the order of their names. */
    public static List<UnknownKey> unknown(Map<String, String> annotations) {
        return new TreeMap<>(annotations)
                .keySet().stream()
                        .filter(UnknownKey::isPrintable)
                        .flatMap(key -> unknown(key).stream())
                        .limit(MOST)
                        .toList();
    }

    private static Optional<UnknownKey> unknown(String key) {
        var slash = key.indexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        var domain = key.substring(0, slash);
        var name = key.substring(slash + 1);
        if (domain.equals(DOMAIN)) {
            return OF_A_JOB.contains(name) || OTHERS.contains(name)
                    ? Optional.empty()
                    : Optional.of(new UnknownKey(key, meant(name)));
        }
        return OF_A_JOB.contains(name) && isMistaken(domain)
                ? Optional.of(new UnknownKey(key, Optional.of(DOMAIN + "/" + name)))
                : Optional.empty();
    }

    private static boolean isMistaken(String domain) {
        return domain.equals(PARENT) || distance(domain.toLowerCase(Locale.ROOT), DOMAIN) <= TYPING_ERRORS;
    }

    /** A quarter of the letters may be wrong; hyphens and case do not count. */
    private static Optional<String> meant(String name) {
        var letters = letters(name);
        if (HELMS.containsKey(letters)) {
            return Optional.of(DOMAIN + "/" + HELMS.get(letters));
        }
        return OF_A_JOB.stream()
                .filter(known -> distance(letters, letters(known))
                        <= Math.max(1, letters(known).length() / 4))
                .min(Comparator.comparingInt(known -> distance(letters, letters(known))))
                .map(known -> DOMAIN + "/" + known);
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** How many characters to add, leave out or change (Levenshtein). */
    private static int distance(String one, String other) {
        var row = new int[other.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            var diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                var changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
