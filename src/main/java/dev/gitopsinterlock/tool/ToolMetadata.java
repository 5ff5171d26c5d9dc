package dev.gitopsinterlock.tool;

import com.fasterxml.jackson.databind.JsonNode;

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
        return object.path("metadata").path("labels").has(key);
    }

    /** Its value; empty where there is none. */
    public String label(String key) {
        return object.path("metadata").path("labels").path(key).asText();
    }

    /** Its value; empty where there is none. */
    public String annotation(String key) {
        return object.path("metadata").path("annotations").path(key).asText();
    }

    public boolean hasAnnotation(String key) {
        return object.path("metadata").path("annotations").has(key);
    }

    /** Whether it has any whose key is in a domain. */
    public boolean hasAnnotationOf(String domain) {
        return object.path("metadata").path("annotations").properties().stream()
                .anyMatch(annotation -> annotation.getKey().startsWith(domain + "/"));
    }
}
