package dev.gitopsinterlock.testing.cluster;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;

/** Argo CD's Applications in a Namespace, with what its controller writes when they sync; no Argo CD runs. */
public final class Applications {

    private final ControlPlane controlPlane;
    private final String namespace;

    private Applications(ControlPlane controlPlane, String namespace) {
        this.controlPlane = controlPlane;
        this.namespace = namespace;
    }

    /** Installs Argo CD's definitions and makes the Namespace if need be. */
    public static Applications in(ControlPlane controlPlane, String namespace) {
        controlPlane.addDefinitionsOf("argocd");
        controlPlane.createNamespace(namespace);
        return new Applications(controlPlane, namespace);
    }

    public void create(String name) {
        all().resource(Serialization.unmarshal("""
                        {
                          "apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
                          "metadata": {"name": "%s"},
                          "spec": {
                            "project": "default",
                            "source": {"repoURL": "https://git.example/%s.git", "path": "."},
                            "destination": {"server": "https://kubernetes.default.svc", "namespace": "default"}}
                        }
                        """.formatted(name, name), GenericKubernetesResource.class))
                .create();
    }

    /** Of a status: as many resources as take about so many bytes, as items of a JSON list. */
    public static String resources(int bytes) {
        var resource = "{\"group\": \"apps\", \"kind\": \"Deployment\", \"name\": \"%s\", \"status\": \"Synced\"}"
                .formatted("n".repeat(120));
        return String.join(", ", Collections.nCopies(bytes / resource.length(), resource));
    }

    /** A sync as a person or the controller asks for it; returns the revision with which it is there. */
    public long requestSync(String name) {
        return patch(name, """
                {"operation": {"initiatedBy": {"automated": true}, "sync": {"revision": "1234567"}}}
                """);
    }

    /** What the controller writes when it begins a requested sync. */
    public long beginSync(String name) {
        return patch(name, """
                {"status": {"operationState": {
                  "operation": {"initiatedBy": {"automated": true}, "sync": {"revision": "1234567"}},
                  "phase": "Running", "message": null, "finishedAt": null, "startedAt": "%s"}}}
                """.formatted(now()));
    }

    /** A sync that is requested and begun; returns the revision with which it was requested. */
    public long startSync(String name) {
        var revision = requestSync(name);
        beginSync(name);
        return revision;
    }

    /** As the controller ends a sync, in one write; returns the revision with which it is over. */
    public long endSync(String name) {
        return patch(name, """
                {"operation": null, "status": {"operationState": {
                  "phase": "Succeeded", "message": "successfully synced", "finishedAt": "%s"}}}
                """.formatted(now()));
    }

    /** By a merge patch. There is no status subresource: plain patches change the status too. */
    public long patch(String name, String patch) {
        var changed = all().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
        return Long.parseLong(changed.getMetadata().getResourceVersion());
    }

    public void delete(String name) {
        all().withName(name).delete();
    }

    /** Takes all of them away. */
    public void clear() {
        all().delete();
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    private NonNamespaceOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            all() {
        return controlPlane
                .admin()
                .genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup("argoproj.io")
                        .withVersion("v1alpha1")
                        .withKind("Application")
                        .withPlural("applications")
                        .withNamespaced(true)
                        .build())
                .inNamespace(namespace);
    }
}
