package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.tool.FieldManager;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The tools that a manifest can be on its way to, and how each would send it. */
public enum Deployer {
    ARGO_CD(Tool.ARGO_CD, "argocd-controller", Method.UPDATE, "Argo CD"),
    FLUX_KUSTOMIZATION(Tool.FLUX_KUSTOMIZATION, "kustomize-controller", Method.APPLY, "Flux"),
    FLUX_HELM_RELEASE(Tool.FLUX_HELM_RELEASE, "helm-controller", Method.APPLY, "Flux"),
    FLEET(Tool.FLEET, "fleetagent", Method.UPDATE, "Fleet"),
    NELM(Tool.NELM, "helm", Method.APPLY, "nelm"),
    HELM(Tool.HELM, "helm", Method.UPDATE, "Helm"),
    KAPP(Tool.KAPP, "kapp", Method.UPDATE, "kapp"),
    TERRAFORM(Tool.TERRAFORM, "Terraform", Method.APPLY, "Terraform"),
    PULUMI(Tool.PULUMI, "pulumi-kubernetes", Method.APPLY, "Pulumi"),
    KUBECTL(Tool.KUBECTL, "kubectl-client-side-apply", Method.UPDATE, "kubectl"),
    UNKNOWN(Tool.UNKNOWN, "", Method.UNKNOWN, "another tool");

    private final Tool tool;
    private final String manager;
    private final Method method;
    private final String title;

    Deployer(Tool tool, String manager, Method method, String title) {
        this.tool = tool;
        this.manager = manager;
        this.method = method;
        this.title = title;
    }

    /** By the stable name; empty where there is none of that name. */
    public static Optional<Deployer> named(String label) {
        return Arrays.stream(values())
                .filter(deployer -> deployer.label().equals(label))
                .findFirst();
    }

    /**
     * What the marks in a manifest say: those of a GitOps tool before those of a chart, which any of them may render.
     * Never fails; {@link #UNKNOWN} where nothing tells.
     */
    public static Deployer of(JsonNode manifest) {
        var marks = new ToolMetadata(manifest);
        if (marks.hasAnnotationOf("argocd.argoproj.io")) {
            return ARGO_CD;
        }
        if (hasMarkOf(manifest, "kustomize.toolkit.fluxcd.io")) {
            return FLUX_KUSTOMIZATION;
        }
        if (hasMarkOf(manifest, "helm.toolkit.fluxcd.io")) {
            return FLUX_HELM_RELEASE;
        }
        if (hasMarkOf(manifest, "kapp.k14s.io")) {
            return KAPP;
        }
        if (marks.hasAnnotationOf("werf.io")) {
            return NELM;
        }
        return ToolDetection.owner(marks)
                .flatMap(owner -> named(owner.label()))
                .or(() -> isOfAChart(manifest) ? Optional.of(HELM) : Optional.empty())
                .orElse(UNKNOWN);
    }

    private static boolean hasMarkOf(JsonNode manifest, String domain) {
        return List.of("labels", "annotations").stream()
                .map(part -> manifest.path("metadata").path(part))
                .anyMatch(marks -> marks.properties().stream()
                        .anyMatch(mark -> mark.getKey().startsWith(domain + "/")));
    }

    /** What charts put into what they render. */
    private static boolean isOfAChart(JsonNode manifest) {
        var labels = manifest.path("metadata").path("labels");
        return labels.path("app.kubernetes.io/managed-by").asText().equals("Helm") || labels.has("helm.sh/chart");
    }

    public Tool tool() {
        return tool;
    }

    public String label() {
        return tool.label();
    }

    /** In a sentence. */
    public String title() {
        return title;
    }

    FieldManager manager() {
        return new FieldManager(manager, method);
    }

    /** The object with the entry that a write of this kind would leave in {@code managedFields}. */
    ObjectNode sent(ObjectNode object, Method method) {
        var sent = object.deepCopy();
        var entry = sent.withObject("/metadata").putArray("managedFields").addObject();
        entry.put("manager", manager);
        entry.put("operation", method == Method.APPLY ? "Apply" : "Update");
        return sent;
    }
}
