package dev.gitopsinterlock.testing.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Pools, nodes and MachineConfigs of a control plane on which a {@link MachineConfigController} runs or ran. */
public final class OpenShift {

    public static final String DESIRED_CONFIG = "machineconfiguration.openshift.io/desiredConfig";
    public static final String CURRENT_CONFIG = "machineconfiguration.openshift.io/currentConfig";
    public static final String ROLE = "machineconfiguration.openshift.io/role";
    public static final String REQUIRED_FOR_UPGRADE = "operator.machineconfiguration.openshift.io/required-for-upgrade";

    private static final String API = "machineconfiguration.openshift.io/v1";

    private final ControlPlane controlPlane;

    private OpenShift(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
    }

    public static OpenShift on(ControlPlane controlPlane) {
        return new OpenShift(controlPlane);
    }

    /**
     * A pool of the nodes with this role: {@code master}, which is required for upgrades, {@code worker}, or a custom
     * one, which has the MachineConfigs of worker too. It comes with a first MachineConfig, {@code 00-<name>}.
     */
    public void createPool(String name) {
        var roles = List.of("master", "worker").contains(name) ? List.of(name) : List.of("worker", name);
        var labels = name.equals("master") ? "'" + REQUIRED_FOR_UPGRADE + "': ''" : "";
        applyMachineConfig("00-" + name, name, "first");
        resources("MachineConfigPool")
                .resource(generic("""
                        {
                          'apiVersion': '%s', 'kind': 'MachineConfigPool',
                          'metadata': {'name': '%s', 'labels': {%s}},
                          'spec': {
                            'machineConfigSelector': {'matchExpressions': [
                              {'key': '%s', 'operator': 'In', 'values': [%s]}]},
                            'nodeSelector': {'matchLabels': {'node-role.kubernetes.io/%s': ''}}}
                        }
                        """.formatted(
                                API,
                                name,
                                labels,
                                ROLE,
                                roles.stream().map(role -> "'" + role + "'").collect(Collectors.joining(", ")),
                                name)))
                .create();
    }

    /** By a merge patch, with single quotes in place of double ones. */
    public void patchPool(String name, String patch) {
        resources("MachineConfigPool")
                .withName(name)
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch.replace('\'', '"'));
    }

    /** A ready node without a kubelet. The daemon gives it the configuration that its pool has by then. */
    public void createNode(String name, String... roles) {
        var node = new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Arrays.stream(roles)
                        .collect(Collectors.toMap(role -> "node-role.kubernetes.io/" + role, role -> "")))
                .endMetadata()
                .build();
        controlPlane.admin().resource(node).create();
        controlPlane
                .admin()
                .nodes()
                .withName(name)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"status": {"conditions": [{"type": "Ready", "status": "True"}]}}
                        """);
    }

    /**
     * Creates or changes a MachineConfig whose only file, {@code /etc/<name>}, has this content; returns the revision
     * with which it is there.
     */
    public long applyMachineConfig(String name, String role, String content) {
        var applied = resources("MachineConfig")
                .resource(generic("""
                        {
                          'apiVersion': '%s', 'kind': 'MachineConfig',
                          'metadata': {'name': '%s', 'labels': {'%s': '%s'}},
                          'spec': {'config': {'ignition': {'version': '3.4.0'}, 'storage': {'files': [
                            {'path': '/etc/%s', 'mode': 420, 'contents': {'source': 'data:,%s'}}]}}}
                        }
                        """.formatted(API, name, ROLE, role, name, content)))
                .createOr(NonDeletingOperation::update);
        return Long.parseLong(applied.getMetadata().getResourceVersion());
    }

    /** Puts the node under a role, or takes it from it. */
    public void setRole(String node, String role, boolean present) {
        controlPlane.admin().nodes().withName(node).patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"metadata": {"labels": {"node-role.kubernetes.io/%s": %s}}}
                        """.formatted(
                        role, present ? "\"\"" : "null"));
    }

    public void deleteMachineConfig(String name) {
        resources("MachineConfig").withName(name).delete();
    }

    public JsonNode pool(String name) {
        return tree(resources("MachineConfigPool").withName(name).require());
    }

    public List<JsonNode> pools() {
        return trees(resources("MachineConfigPool"));
    }

    public JsonNode machineConfig(String name) {
        return tree(resources("MachineConfig").withName(name).require());
    }

    public List<JsonNode> nodes() {
        return controlPlane.admin().nodes().list().getItems().stream()
                .map(OpenShift::tree)
                .toList();
    }

    public JsonNode node(String name) {
        return tree(controlPlane.admin().nodes().withName(name).require());
    }

    /** The annotation of the node; empty if there is none. */
    public String annotation(String node, String key) {
        return node(node).path("metadata").path("annotations").path(key).asText();
    }

    /** Whether the condition of the pool is True. */
    public boolean holds(String pool, String condition) {
        return holds(pool(pool), condition);
    }

    public static boolean holds(JsonNode pool, String condition) {
        return pool.path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(c -> c.path("type").asText().equals(condition)
                        && c.path("status").asText().equals("True"));
    }

    /** Waits until all nodes have what their pools want, and the pools say so. Changes may still be on their way. */
    public void awaitUpdated(Duration limit) {
        await("all pools updated").atMost(limit).until(() -> unsettled().isEmpty());
    }

    /** What is not where it should be, in words. */
    public List<String> unsettled() {
        var findings = new ArrayList<String>();
        for (var pool : pools()) {
            var target = pool.at("/spec/configuration/name").asText();
            if (target.isEmpty()
                    || !pool.at("/status/configuration/name").asText().equals(target)
                    || !holds(pool, "Updated")) {
                findings.add("pool " + pool.at("/metadata/name").asText() + " " + pool.path("status"));
            }
        }
        var targets = pools().stream()
                .map(pool -> pool.at("/spec/configuration/name").asText())
                .toList();
        for (var node : nodes()) {
            var annotations = node.path("metadata").path("annotations");
            if (!targets.contains(annotations.path(CURRENT_CONFIG).asText())) {
                findings.add("node " + node.at("/metadata/name").asText() + " " + annotations);
            }
        }
        return findings;
    }

    /** Takes away all nodes, pools and MachineConfigs. */
    public void clear() {
        await("nothing left").atMost(Duration.ofMinutes(1)).until(() -> {
            controlPlane.admin().nodes().delete();
            resources("MachineConfigPool").delete();
            resources("MachineConfig").delete(); // once more if the controller has just rendered one
            return nodes().isEmpty()
                    && pools().isEmpty()
                    && trees(resources("MachineConfig")).isEmpty();
        });
    }

    /** Of the kind MachineConfig, MachineConfigPool and so on. */
    public MixedOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            resources(String kind) {
        return controlPlane
                .admin()
                .genericKubernetesResources(new ResourceDefinitionContext.Builder()
                        .withGroup("machineconfiguration.openshift.io")
                        .withVersion("v1")
                        .withKind(kind)
                        .withPlural(kind.toLowerCase(Locale.ROOT) + "s")
                        .withNamespaced(false)
                        .build());
    }

    private static List<JsonNode> trees(
            MixedOperation<
                            GenericKubernetesResource,
                            GenericKubernetesResourceList,
                            Resource<GenericKubernetesResource>>
                    resources) {
        return resources.list().getItems().stream().map(OpenShift::tree).toList();
    }

    private static GenericKubernetesResource generic(String json) {
        return Serialization.unmarshal(json.replace('\'', '"'), GenericKubernetesResource.class);
    }

    /** As the API server encodes it. */
    public static JsonNode tree(Object resource) {
        return Trees.json(Serialization.asJson(resource).getBytes(UTF_8));
    }
}
