package dev.gitopsinterlock.system.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.system.rollout.Action.Apply;
import dev.gitopsinterlock.system.rollout.Action.BeginJob;
import dev.gitopsinterlock.system.rollout.Action.BeginSync;
import dev.gitopsinterlock.system.rollout.Action.Delete;
import dev.gitopsinterlock.system.rollout.Action.EndJob;
import dev.gitopsinterlock.system.rollout.Action.EndSync;
import dev.gitopsinterlock.system.rollout.Action.Move;
import dev.gitopsinterlock.system.rollout.Action.Pause;
import dev.gitopsinterlock.system.rollout.Action.RequestSync;
import dev.gitopsinterlock.system.rollout.Action.RestartController;
import dev.gitopsinterlock.system.rollout.Action.RestartReplica;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.MachineConfigController;
import dev.gitopsinterlock.testing.cluster.OpenShift;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Does what a plan says, and knows where everything must end. */
final class Stage implements AutoCloseable {

    private final ControlPlane controlPlane;
    private final OpenShift openShift;
    private final Syncs syncs;
    private final Jobs jobs;
    private final Plan plan;
    private final Map<String, String> poolByNode;
    private final Map<String, Apply> configs = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Long> changes = new ConcurrentLinkedQueue<>();
    private MachineConfigController controller;

    Stage(ControlPlane controlPlane, Syncs syncs, Jobs jobs, Plan plan) {
        this.controlPlane = controlPlane;
        this.openShift = OpenShift.on(controlPlane);
        this.syncs = syncs;
        this.jobs = jobs;
        this.plan = plan;
        this.poolByNode = new ConcurrentHashMap<>(plan.nodes());
        this.controller = MachineConfigController.start(controlPlane, Limits.PACE);
    }

    /** Pools, nodes that have their pools' first configuration, Applications that do not sync. */
    void set() {
        plan.pools().forEach((pool, maxUnavailable) -> {
            openShift.createPool(pool);
            openShift.patchPool(pool, "{'spec': {'maxUnavailable': %s}}".formatted(maxUnavailable));
            configs.put("00-" + pool, new Apply("00-" + pool, pool, "first"));
        });
        plan.nodes().forEach((node, pool) -> {
            openShift.createNode(node, Plan.roles(pool).toArray(String[]::new));
        });
        plan.applications().forEach(syncs::create);
        awaitSettled();
    }

    void act(Action action) {
        switch (action) {
            case RequestSync(var application) -> syncs.request(application);
            case BeginSync(var application) -> syncs.begin(application);
            case EndSync(var application) -> syncs.end(application);
            case BeginJob(var name, var node) -> jobs.begin(name, node);
            case EndJob(var name) -> jobs.end(name);
            case Apply apply -> {
                configs.put(apply.name(), apply);
                changes.add(openShift.applyMachineConfig(apply.name(), apply.role(), apply.content()));
            }
            case Delete(var name) -> {
                configs.remove(name);
                openShift.deleteMachineConfig(name);
                changes.add(controlPlane.revision());
            }
            case Pause(var pool, var paused) -> openShift.patchPool(pool, "{'spec': {'paused': %s}}".formatted(paused));
            case Move(var node, var pool, var in) -> {
                openShift.setRole(node, pool, in);
                poolByNode.put(node, in ? pool : "worker");
                changes.add(controlPlane.revision());
            }
            case RestartReplica(var number) -> syncs.restart(number);
            case RestartController() -> {
                controller.close();
                controller = MachineConfigController.start(controlPlane, Limits.PACE);
            }
        }
    }

    /** With which MachineConfigs and roles of nodes changed. */
    List<Long> changes() {
        return List.copyOf(changes);
    }

    /** Waits until every node has what the last changes say, and the pools say so. */
    void awaitSettled() {
        await("all nodes are where they should be, seed " + plan.seed())
                .atMost(Limits.PATIENCE)
                .untilAsserted(() -> assertThat(unsettled()).isEmpty());
    }

    private List<String> unsettled() {
        var findings = new ArrayList<String>();
        var targets = new HashMap<String, String>();
        for (var pool : openShift.pools()) {
            var name = pool.at("/metadata/name").asText();
            var target = pool.at("/spec/configuration/name").asText();
            targets.put(name, target);
            if (!OpenShift.holds(pool, "Updated")
                    || !pool.at("/status/configuration/name").asText().equals(target)) {
                findings.add("pool " + name + " " + pool.path("status"));
            }
            if (target.isEmpty() || !files(openShift.machineConfig(target)).equals(expected(name))) {
                findings.add("pool " + name + " should have " + expected(name));
            }
        }
        for (var node : openShift.nodes()) {
            var name = node.at("/metadata/name").asText();
            var target = targets.get(poolByNode.get(name));
            var annotations = node.at("/metadata/annotations");
            if (!annotations.path(OpenShift.CURRENT_CONFIG).asText().equals(target)
                    || !annotations.path(OpenShift.DESIRED_CONFIG).asText().equals(target)) {
                findings.add("node " + name + " should have " + target + ": " + annotations);
            }
        }
        return findings;
    }

    private Map<String, String> expected(String pool) {
        var files = new TreeMap<String, String>();
        configs.values().stream()
                .filter(config -> Plan.roles(pool).contains(config.role()))
                .forEach(config -> files.put("/etc/" + config.name(), "data:," + config.content()));
        return files;
    }

    private static Map<String, String> files(JsonNode config) {
        var files = new TreeMap<String, String>();
        for (var file : config.at("/spec/config/storage/files")) {
            files.put(
                    file.path("path").asText(),
                    file.path("contents").path("source").asText());
        }
        return files;
    }

    @Override
    public void close() {
        openShift.clear();
        syncs.clear();
        jobs.clear();
        controller.close();
    }
}
