package dev.gitopsinterlock.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Labels and annotations that change with each version or run, where others stay for as long as an object is the same. */
public final class VersionKeys {

    /** Those of Helm's own templates, and the recommended one of Kubernetes. */
    private static final Set<String> OF_A_VERSION = Set.of("helm.sh/chart", "chart", "app.kubernetes.io/version");

    /** {@code chart: shop} has none. */
    private static final Pattern DIGIT = Pattern.compile("\\d");

    /** Skaffold's, and what charts write to have Pods made anew. */
    private static final Set<String> OF_A_RUN = Set.of("skaffold.dev/run-id", "rollme");

    private static final String CHECKSUM = "checksum/";

    /** A version, a date or a hash. */
    private static final Pattern VERSION = Pattern.compile(
            "\\d+(?:\\.\\d+){2,}[\\w.+-]*|\\d{4}-\\d\\d-\\d\\d[\\w:.+-]*|\\b(?=[a-f]*\\d)[0-9a-f]{7,}\\b");

    private VersionKeys() {}

    /** Whether a label or annotation is one, by its key. */
    public static boolean isVersion(String key, String value) {
        return OF_A_VERSION.contains(key)
                ? DIGIT.matcher(value).find()
                : OF_A_RUN.contains(key) || key.startsWith(CHECKSUM);
    }

    /** Whether one that changes is one, by its key, or because its values differ in nothing but a version; either is empty where it is not there. */
    public static boolean isVersion(String key, String before, String after) {
        return isVersion(key, before)
                || isVersion(key, after)
                || (VERSION.matcher(before).find() && without(before).equals(without(after)));
    }

    /** Those of a map, such as labels. */
    public static Stream<String> in(JsonNode map) {
        return map.propertyStream()
                .filter(entry -> isVersion(entry.getKey(), entry.getValue().asText()))
                .map(Map.Entry::getKey);
    }

    private static String without(String value) {
        return VERSION.matcher(value).replaceAll("*");
    }
}
