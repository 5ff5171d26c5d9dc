package dev.gitopsinterlock.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;

/** Labels and annotations of one object, where tools leave their marks. */
public record ToolMetadata(JsonNode object) {

    /** Argo CD's own mark, in an annotation. */
    public static final String ARGO_TRACKING = "argocd.argoproj.io/tracking-id";

    public boolean isArgoCdHook() {
        return hasAnnotation("argocd.argoproj.io/hook");
    }

    public boolean isHelmHook() {
        return hasAnnotation("helm.sh/hook");
    }

    public boolean hasLabel(String key) {
        return ObjectMeta.labels(object).has(key);
    }

    /** The value of a label; empty where there is none. */
    public String label(String key) {
        return ObjectMeta.label(object, key);
    }

    /** The value of an annotation; empty where there is none. */
    public String annotation(String key) {
        return ObjectMeta.annotation(object, key);
    }

    public boolean hasAnnotation(String key) {
        return ObjectMeta.annotations(object).has(key);
    }

    /** Whether it has any whose key is in a domain. */
    public boolean hasAnnotationOf(String domain) {
        return ObjectMeta.annotations(object).properties().stream()
                .anyMatch(annotation -> annotation.getKey().startsWith(domain + "/"));
    }
}
