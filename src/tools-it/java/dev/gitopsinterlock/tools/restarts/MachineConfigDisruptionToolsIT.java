package dev.gitopsinterlock.tools.restarts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.gate.ObjectChange;
import dev.gitopsinterlock.testing.cluster.MachineConfigOperator;
import dev.gitopsinterlock.testing.review.KnownCluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What restarts nothing, by us and by the machine-config daemon itself, of random changes under random policies. Only {@code
 * make test-machineconfig} runs it, with the checkout that it names.
 */
@EnabledIfSystemProperty(
        named = MachineConfigOperator.SOURCE,
        matches = ".+",
        disabledReason = "make test-machineconfig SOURCE=... names a checkout of openshift/machine-config-operator")
class MachineConfigDisruptionToolsIT {

    private static final int CHANGES = 1_000;

    /** The daemon's functions, which {@code make test-machineconfig} compiles. */
    private static final Path DAEMON = Project.directory().resolve("target/machine-config-operator/daemon");

    private static final JsonNode FILE = Trees.resource("node-disruption/cases.yaml");

    private static final List<String> PATHS = List.of(
            "/etc/chrony.d/one.conf",
            "/etc/chrony.d/two.conf",
            "/etc/chrony.d/drain.conf",
            "/etc/chrony.d/drain.conf/one",
            "/etc/chrony.d",
            "/etc/chrony.daemon",
            "/etc/chrony.d/../motd",
            "/etc//chrony.d/one.conf",
            "/etc/reload/one",
            "/etc/reload",
            "/etc/motd",
            "/etc/containers/registries.conf",
            "/var/lib/kubelet/config.json",
            "/usr/local/bin/one");
    private static final List<String> FOLDERS = List.of(
            "/",
            "/etc",
            "/etc/",
            "/etc/chrony.d",
            "/etc/chrony.d/",
            "/etc/./chrony.d",
            "/etc/chrony.d/one.conf",
            "/etc/reload",
            "/usr/local/bin");
    private static final List<String> UNITS =
            List.of("kubelet.service", "motd.service", "one.service", "one@two.service", "two.timer");
    private static final List<String> ACTIONS =
            List.of("None", "None", "None", "Reload", "Restart", "DaemonReload", "Drain", "Reboot", "Special");
    private static final List<String> REGISTRIES = List.of(
            "data:,unqualified-search-registries%20%3D%20%5B%22one%22%5D%0A",
            "data:,unqualified-search-registries%20%3D%20%5B%22one%22%2C%20%22two%22%5D%0A", "data:,");

    @Test
    void whatGoesOnRestartsNothing(@TempDir Path folder) throws IOException {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("changes of MachineConfigs: -Dseed=" + seed);
        var random = new Random(seed);
        var changes = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < CHANGES; i++) {
            changes.add(change(random));
        }

        var effects = effects(folder, changes);

        var counts = new TreeMap<String, Integer>();
        for (int i = 0; i < CHANGES; i++) {
            var effect = effects.path(i).asText();
            boolean isHeld = interrupts(changes.get(i));
            counts.merge((isHeld ? "held, " : "goes on, ") + effect, 1, Integer::sum);
            if (!isHeld) {
                assertThat(effect).as("%s", changes.get(i)).isNotEqualTo("interrupted");
            }
        }
        System.out.println("changes of MachineConfigs, and what the daemon does: " + counts);
        assertThat(counts).containsKeys("held, interrupted", "goes on, nothing");
        assertThat(counts.get("goes on, nothing")).isGreaterThan(CHANGES / 10);
    }

    private static JsonNode effects(Path folder, ArrayNode changes) throws IOException {
        var asked = folder.resolve("changes.json");
        var answered = folder.resolve("effects.json");
        Files.write(asked, Trees.bytes(changes));
        Command.run(
                        Map.of("CHANGES", asked.toString(), "EFFECTS", answered.toString()),
                        List.of(DAEMON.toString(), "-test.run=^TestEffectsOfChanges$"))
                .orFail();
        return Trees.json(Files.readAllBytes(answered));
    }

    private static boolean interrupts(JsonNode change) {
        Map<String, JsonNode> objects = Map.of(
                "/apis/machineconfiguration.openshift.io/v1/machineconfigs/before",
                change.path("Before"),
                "/apis/machineconfiguration.openshift.io/v1/machineconfigs/after",
                change.path("After"),
                "/apis/operator.openshift.io/v1/machineconfigurations/cluster",
                change.path("Policy"));
        var controller = new KnownCluster(Optional.empty(), Optional.empty(), Optional.empty()).controller();
        return controller.interrupts(
                new ObjectChange("/v1/Node", "worker-1", node("before"), node("after"), controller.user(), false),
                path -> Optional.ofNullable(objects.get(path)));
    }

    private static JsonNode node(String desired) {
        var node = JsonNodeFactory.instance.objectNode();
        var annotations = node.withObject("/metadata/annotations");
        Map.of("currentConfig", "before", "desiredConfig", desired, "state", "Done")
                .forEach((name, value) -> annotations.put("machineconfiguration.openshift.io/" + name, value));
        return node;
    }

    /** Most changes touch one thing, so that not nearly all of them restart the Node. */
    private static ObjectNode change(Random random) {
        var change = JsonNodeFactory.instance.objectNode();
        ObjectNode before = FILE.path("before").deepCopy();
        for (int i = random.nextInt(3); i > 0; i--) {
            edit(before, random);
        }
        var after = before.deepCopy();
        for (int i = random.nextInt(6) / 2; i >= 0; i--) {
            edit(after, random);
        }
        change.set("Before", before);
        change.set("After", after);
        change.set("Policy", policy(random));
        return change;
    }

    private static void edit(ObjectNode config, Random random) {
        var spec = config.withObject("/spec");
        var ignition = spec.withObject("/config");
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3, 4, 5 -> editFile(ignition.withObject("/storage").withArray("files"), random);
            case 6, 7, 8 -> editUnit(ignition.withObject("/systemd").withArray("units"), random);
            case 9, 10 ->
                Trees.set(
                        ignition, "/passwd/users/0/sshAuthorizedKeys", Trees.json("['key " + random.nextInt(3) + "']"));
            case 11 -> Trees.set(ignition, "/passwd/users/0/passwordHash", Trees.json("'" + random.nextInt(3) + "'"));
            case 12 -> editOther(spec, random);
            default -> Trees.set(ignition, "/storage/directories", Trees.json("[{'path': '/var/one'}]"));
        }
    }

    private static void editOther(ObjectNode spec, Random random) {
        switch (random.nextInt(5)) {
            case 0 -> spec.put("osImageURL", "registry.example/os@sha256:" + random.nextInt(3));
            case 1 -> spec.set("kernelArguments", Trees.json("['quiet']"));
            case 2 -> spec.put("kernelType", one(List.of("default", "realtime", "64k-pages"), random));
            case 3 -> spec.put("fips", random.nextBoolean());
            default -> spec.set("extensions", Trees.json("['usbguard']"));
        }
    }

    private static void editFile(ArrayNode files, Random random) {
        var path = one(PATHS, random);
        remove(files, "path", path);
        if (random.nextInt(4) > 0) {
            var file = files.addObject().put("path", path).put("mode", 384 + random.nextInt(2));
            file.withObject("/contents")
                    .put(
                            "source",
                            path.endsWith("registries.conf") ? one(REGISTRIES, random) : "data:," + random.nextInt(3));
        }
    }

    private static void editUnit(ArrayNode units, Random random) {
        var name = one(UNITS, random);
        remove(units, "name", name);
        if (random.nextInt(4) > 0) {
            units.addObject()
                    .put("name", name)
                    .put("enabled", random.nextBoolean())
                    .put("contents", "[Unit]\n");
        }
    }

    private static void remove(ArrayNode list, String key, String value) {
        for (int i = list.size() - 1; i >= 0; i--) {
            if (list.get(i).path(key).asText().equals(value)) {
                list.remove(i);
            }
        }
    }

    private static ObjectNode policy(Random random) {
        ObjectNode policy = FILE.path("policy").deepCopy();
        var policies = policy.withObject("/status/nodeDisruptionPolicyStatus/clusterPolicies");
        for (int i = random.nextInt(4); i > 0; i--) {
            var path = one(random.nextBoolean() ? FOLDERS : PATHS, random);
            remove(policies.withArray("files"), "path", path);
            policies.withArray("files").addObject().put("path", path).set("actions", actions(random));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            var name = one(UNITS, random);
            remove(policies.withArray("units"), "name", name);
            policies.withArray("units").addObject().put("name", name).set("actions", actions(random));
        }
        if (random.nextInt(3) == 0) {
            policies.withObject("/sshkey").set("actions", actions(random));
        }
        return policy;
    }

    private static ArrayNode actions(Random random) {
        var actions = JsonNodeFactory.instance.arrayNode();
        for (int i = random.nextInt(2); i >= 0; i--) {
            var type = one(ACTIONS, random);
            var action = actions.addObject().put("type", type);
            if (type.equals("Reload") || type.equals("Restart")) {
                action.withObject(type.equals("Reload") ? "/reload" : "/restart")
                        .put("serviceName", "one.service");
            }
        }
        return actions;
    }

    private static <T> T one(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }
}
