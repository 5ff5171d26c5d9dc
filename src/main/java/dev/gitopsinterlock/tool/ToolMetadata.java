package dev.gitopsinterlock.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;

/** The marks that tools leave on the objects they own: labels and annotations of one object. */
public record ToolMetadata(JsonNode object) {

    /** Argo CD's own mark, in an annotation. */
    public static final String ARGO_TRACKING = "argocd.argoproj.io/tracking-id";

    private static final Set<String> DOMAINS = Set.of(
            "argocd.argoproj.io",
            "fleet.cattle.io",
            "helm.sh",
            "helm.toolkit.fluxcd.io",
            "kapp.k14s.io",
            "kustomize.toolkit.fluxcd.io",
            "meta.helm.sh",
            "objectset.rio.cattle.io");

    private static final Set<String> KEYS = Set.of(
            "app.kubernetes.io/instance",
            "app.kubernetes.io/managed-by",
            "kubectl.kubernetes.io/last-applied-configuration");

    /**
     * The tool that the object's source lives in. Argo CD, Flux and Fleet objects often carry Helm's marks as well,
     * so Helm comes after them. A chart's own {@code app.kubernetes.io} labels prove nothing and are not looked at.
     */
    public Optional<Tool> owner() {
        if (isTrackedByArgoCd()) {
            return Optional.of(Tool.ARGO_CD);
        }
        if (has("labels", "kustomize.toolkit.fluxcd.io/name")) {
            return Optional.of(Tool.FLUX_KUSTOMIZATION);
        }
        if (has("labels", "helm.toolkit.fluxcd.io/name")) {
            return Optional.of(Tool.FLUX_HELM_RELEASE);
        }
        if (isFleets()) {
            return Optional.of(Tool.FLEET);
        }
        if (has("annotations", "meta.helm.sh/release-name") || isHelmHook()) {
            return Optional.of(Tool.HELM);
        }
        if (has("labels", "kapp.k14s.io/app")) {
            return Optional.of(Tool.KAPP);
        }
        return Optional.empty();
    }

    public boolean isArgoCdHook() {
        return has("annotations", "argocd.argoproj.io/hook");
    }

    public boolean isHelmHook() {
        return has("annotations", "helm.sh/hook");
    }

    /** Whether a label or annotation lets some tool take an object for its own. */
    public static boolean isMark(String key) {
        var slash = key.indexOf('/');
        return KEYS.contains(key) || (slash > 0 && DOMAINS.contains(key.substring(0, slash)));
    }

    /** A tracking id that names another object is a copy's, left over from the original. */
    private boolean isTrackedByArgoCd() {
        var metadata = object.path("metadata");
        var id = metadata.path("annotations").path(ARGO_TRACKING).asText();
        var self = "/%s:%s/%s"
                .formatted(
                        object.path("kind").asText(),
                        metadata.path("namespace").asText(),
                        metadata.path("name").asText());
        return id.endsWith(self);
    }

    /** k3s, Rancher and other users of the same library add an owner; Fleet does not. */
    private boolean isFleets() {
        return has("labels", "objectset.rio.cattle.io/hash")
                && has("annotations", "objectset.rio.cattle.io/id")
                && !has("annotations", "objectset.rio.cattle.io/owner-name");
    }

    private boolean has(String kind, String key) {
        return object.path("metadata").path(kind).has(key);
    }
}
