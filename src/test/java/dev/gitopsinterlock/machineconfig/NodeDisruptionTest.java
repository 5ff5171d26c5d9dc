package dev.gitopsinterlock.machineconfig;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.gate.ObjectChange;
import dev.gitopsinterlock.testing.review.KnownCluster;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which changes neither drain nor restart a Node. MachineConfigDisruptionToolsIT compares with the daemon itself. */
class NodeDisruptionTest {

    private static final JsonNode FILE = Trees.resource("node-disruption/cases.yaml");
    private static final String CONFIGS = "/apis/machineconfiguration.openshift.io/v1/machineconfigs/";
    private static final Map<String, JsonNode> OBJECTS = Map.of(
            CONFIGS + "rendered-worker-1",
            FILE.path("before"),
            CONFIGS + "rendered-worker-2",
            tree("a pull secret", "after"),
            "/apis/operator.openshift.io/v1/machineconfigurations/cluster",
            FILE.path("policy"));

    static Stream<String> cases() {
        return FILE.path("cases").propertyStream().map(Map.Entry::getKey);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void itIsAsTheDaemonDoes(String name) {
        assertThat(isNone(name, "before", "after"))
                .isEqualTo(FILE.path("cases").path(name).path("harmless").asBoolean());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theWayBackIsTheSame(String name) {
        assertThat(isNone(name, "after", "before")).isEqualTo(isNone(name, "before", "after"));
    }

    private static boolean isNone(String name, String before, String after) {
        return NodeDisruption.isNone(tree(name, before), tree(name, after), tree(name, "policy"));
    }

    private static JsonNode tree(String name, String which) {
        ObjectNode tree = FILE.path(which.equals("policy") ? which : "before").deepCopy();
        Trees.change(tree, FILE.path("cases").path(name).path(which));
        return tree;
    }

    @Test
    void theOrderOfFilesIsNoChange() {
        var turned = tree("nothing differs", "after");
        var files = (ArrayNode) turned.at("/spec/config/storage/files");
        files.add(files.remove(0));

        assertThat(NodeDisruption.isNone(FILE.path("before"), turned, FILE.path("policy")))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("states")
    void onlyANodeThatHasSettledIsKnown(String name, String before, String after, boolean interrupts) {
        assertThat(controller().interrupts(change(before, after), path -> Optional.ofNullable(OBJECTS.get(path))))
                .as(name)
                .isEqualTo(interrupts);
    }

    static Stream<Object[]> states() {
        return Stream.of(
                new Object[] {"settled", "{}", "{}", false},
                new Object[] {"at work", "{'state': 'Working'}", "{'state': 'Working'}", true},
                new Object[] {"degraded", "{'state': 'Degraded'}", "{}", true},
                new Object[] {"on its way", "{'desiredConfig': 'rendered-worker-3'}", "{}", true},
                new Object[] {"with an image", "{'currentImage': 'os', 'desiredImage': 'os'}", "{}", true},
                new Object[] {"to an image", "{}", "{'desiredImage': 'os'}", true},
                new Object[] {"from what is not there", "{'currentConfig': 'x', 'desiredConfig': 'x'}", "{}", true},
                new Object[] {"to what is not there", "{}", "{'desiredConfig': 'rendered-worker-9'}", true},
                new Object[] {"to another path", "{}", "{'desiredConfig': '../nodes/worker-1'}", true});
    }

    private static MachineConfigController controller() {
        return new KnownCluster(Optional.empty(), Optional.empty(), Optional.empty()).controller();
    }

    private static ObjectChange change(String before, String after) {
        return new ObjectChange(
                "/v1/Node",
                "worker-1",
                node("rendered-worker-1", before),
                node("rendered-worker-2", after),
                controller().user(),
                false);
    }

    private static JsonNode node(String desired, String changed) {
        ObjectNode values = Trees.json("{'currentConfig': 'rendered-worker-1', 'state': 'Done'}")
                .deepCopy();
        values.put("desiredConfig", desired);
        Trees.json(changed).propertyStream().forEach(value -> values.set(value.getKey(), value.getValue()));
        var node = JsonNodeFactory.instance.objectNode();
        var annotations = node.withObject("/metadata/annotations");
        values.propertyStream()
                .forEach(value ->
                        annotations.set("machineconfiguration.openshift.io/" + value.getKey(), value.getValue()));
        return node;
    }
}
