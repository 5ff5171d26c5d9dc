package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.system.differential.Schema.Field;
import dev.gitopsinterlock.system.differential.Schema.Form;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Draws values that look legal: by the schema, and by two tables for what the schema does not say. */
final class Values {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Of these fields of a type only one may be set. Without names: of all fields but {@code name}. */
    private static final Map<String, Set<String>> UNIONS = Map.ofEntries(
            Map.entry("Volume", Set.of()),
            Map.entry("VolumeProjection", Set.of()),
            Map.entry("EnvVarSource", Set.of()),
            Map.entry("LifecycleHandler", Set.of()),
            Map.entry("PodResourceClaim", Set.of()),
            Map.entry("Probe", Set.of("exec", "grpc", "httpGet", "tcpSocket")),
            Map.entry("EnvVar", Set.of("value", "valueFrom")),
            Map.entry("EnvFromSource", Set.of("configMapRef", "secretRef")),
            Map.entry("DownwardAPIVolumeFile", Set.of("fieldRef", "resourceFieldRef")),
            Map.entry("ClusterTrustBundleProjection", Set.of("name", "signerName")),
            Map.entry("PodFailurePolicyRule", Set.of("onExitCodes", "onPodConditions")));

    /** Unions that are not legal with nothing set. */
    private static final Set<String> NEVER_EMPTY = Set.of(
            "Volume",
            "VolumeProjection",
            "EnvVarSource",
            "LifecycleHandler",
            "PodResourceClaim",
            "Probe",
            "EnvFromSource",
            "DownwardAPIVolumeFile",
            "PodFailurePolicyRule");

    /** Same amounts in several spellings, so that an edit may change the spelling alone. */
    static final List<List<String>> QUANTITIES = List.of(
            List.of("1Gi", "1024Mi", "1073741824"),
            List.of("1", "1000m", "1.0"),
            List.of("2k", "2000", "2e3"),
            List.of("100m", "0.1"),
            List.of("0", "0Mi"),
            List.of("64Mi", "65536Ki"),
            List.of("500m", "0.5"));

    /** By {@code Type.field}, then by {@code field}: words, numbers or flags to choose from. */
    private static final Map<String, List<Object>> TABLE = table();

    private static Map<String, List<Object>> table() {
        var table = new HashMap<String, List<Object>>();
        table.put("ClusterTrustBundleProjection.path", List.of("ca.crt", "sub/ca.crt"));
        table.put("Container.restartPolicy", List.of("Always", "Never", "OnFailure"));
        table.put("ContainerPort.hostPort", List.of(8080, 8081, 9090));
        table.put("ContainerPort.name", List.of("http", "metrics", "grpc"));
        table.put("ContainerResizePolicy.resourceName", List.of("cpu", "memory"));
        table.put("ContainerResizePolicy.restartPolicy", List.of("NotRequired", "RestartContainer"));
        table.put("ContainerRestartRule.action", List.of("Restart", "RestartAllContainers"));
        table.put("EnvVar.name", List.of("LEVEL", "REGION", "TOKEN", "BATCH_SIZE"));
        table.put("FileKeySelector.path", List.of("env", "conf/env"));
        table.put("HTTPHeader.name", List.of("X-One", "Accept"));
        table.put("HostPathVolumeSource.path", List.of("/var/log", "/srv"));
        table.put("KeyToPath.path", List.of("conf/a", "b"));
        table.put("DownwardAPIVolumeFile.path", List.of("labels", "meta/name"));
        table.put("ServiceAccountTokenProjection.path", List.of("token", "sa/token"));
        table.put("LabelSelectorRequirement.operator", List.of("In", "NotIn"));
        table.put("NodeSelectorRequirement.operator", List.of("In", "NotIn"));
        table.put("ObjectMeta.namespace", List.of("other", "differential"));
        table.put("ObjectMeta.finalizers", List.of("example.com/wait", "example.com/other"));
        table.put("PodFailurePolicyOnExitCodesRequirement.containerName", List.of("main"));
        table.put("PodFailurePolicyOnExitCodesRequirement.values", List.of(1, 2, 42, 137));
        table.put("ContainerRestartRuleOnExitCodes.values", List.of(1, 2, 42));
        table.put("PodFailurePolicyRule.action", List.of("FailJob", "Ignore", "Count"));
        table.put("PodOS.name", List.of("linux", "windows"));
        table.put("ResourceClaim.name", List.of("gpu", "claim"));
        table.put("ResourceFieldSelector.containerName", List.of("main"));
        table.put("Sysctl.name", List.of("kernel.shm_rmid_forced", "net.ipv4.ip_unprivileged_port_start"));
        table.put("Sysctl.value", List.of("0", "1"));
        table.put("Toleration.tolerationSeconds", List.of(30, 60));
        table.put("Volume.name", List.of("data", "config", "cache"));
        table.put("VolumeMount.name", List.of("data", "config"));
        table.put("VolumeDevice.name", List.of("data", "block"));
        table.put("SleepAction.seconds", List.of(1, 2, 5));
        table.put("VolumeNodeAffinity.operator", List.of("In"));
        table.put("accessModes", List.of("ReadWriteOnce", "ReadOnlyMany"));
        table.put("activeDeadlineSeconds", List.of(7200, 9000, 100000));
        table.put("add", List.of("NET_ADMIN", "SYS_TIME"));
        table.put("apiVersion", List.of("v1", "apps/v1"));
        table.put("args", List.of("--verbose", "--batch=10", "run", "sleep 1"));
        table.put("backoffLimit", List.of(0, 3, 6, 10));
        table.put("backoffLimitPerIndex", List.of(0, 1, 5));
        table.put("command", List.of("sh", "-c", "/app", "migrate"));
        table.put("completions", List.of(1, 2, 3, 4));
        table.put("conditionType", List.of("example.com/ready", "example.com/warm"));
        table.put("containerPort", List.of(8080, 8081, 9090));
        table.put("defaultMode", List.of(420, 292, 384));
        table.put("devicePath", List.of("/dev/xvda", "/dev/xvdb"));
        table.put("drop", List.of("ALL", "CHOWN"));
        table.put("endpoint", List.of("http://example.com"));
        table.put("expirationSeconds", List.of(3600, 7200));
        table.put("fieldPath", List.of("metadata.name", "metadata.namespace"));
        table.put("fieldsType", List.of("FieldsV1"));
        table.put("hostIP", List.of("127.0.0.1", "10.0.0.9"));
        table.put("hostnames", List.of("db.example.com", "cache"));
        table.put(
                "image",
                List.of("registry.example/app:1", "registry.example/app:2", "registry.example/init@sha256:00"));
        table.put("ip", List.of("10.0.0.1", "10.0.0.2"));
        table.put("key", List.of("example.com/zone", "level", "tls.crt"));
        table.put("keyType", List.of("ED25519", "ECDSAP256"));
        table.put("managedBy", List.of("example.com/controller", "kueue.x-k8s.io/multikueue"));
        table.put("matchLabelKeys", List.of("app", "tier"));
        table.put("maxFailedIndexes", List.of(0, 1));
        table.put("maxExpirationSeconds", List.of(3600, 86400));
        table.put("mismatchLabelKeys", List.of("zone"));
        table.put("mode", List.of(256, 420));
        table.put("monitors", List.of("10.0.0.5:6789"));
        table.put("mountPath", List.of("/data", "/etc/config", "/cache"));
        table.put("nameservers", List.of("10.0.0.53", "10.0.0.54"));
        table.put("namespaces", List.of("shop", "billing"));
        table.put("nodeAffinityPolicy", List.of("Honor", "Ignore"));
        table.put("parallelism", List.of(0, 1, 2, 3, 4));
        table.put("path", List.of("/srv/export", "/healthz"));
        table.put("port", List.of(8080, "http", 9090));
        table.put("priorityClassName", List.of("batch-low", "batch-high"));
        table.put("recursiveReadOnly", List.of("Disabled", "IfPossible"));
        table.put("resource", List.of("limits.cpu", "requests.memory"));
        table.put("restartPolicy", List.of("Never", "OnFailure"));
        table.put("searches", List.of("example.com", "svc.example.com"));
        table.put("servers", List.of("10.0.0.6"));
        table.put("signerName", List.of("example.com/signer"));
        table.put("status", List.of("True", "False"));
        table.put("stopSignal", List.of("SIGTERM", "SIGUSR1"));
        table.put("subPath", List.of("a", "a/b"));
        table.put("subPathExpr", List.of("$(LEVEL)", "x/$(REGION)"));
        table.put("succeededCount", List.of(1, 2));
        table.put("succeededIndexes", List.of("0", "0-1"));
        table.put("targetPortal", List.of("10.0.0.7:3260"));
        table.put("terminationGracePeriodSeconds", List.of(5, 30, 60));
        table.put("terminationMessagePath", List.of("/dev/termination-log", "/tmp/log"));
        table.put("topologyKey", List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone"));
        table.put("ttlSecondsAfterFinished", List.of(3600, 7200, 86400));
        table.put("type", List.of("DisruptionTarget", "RuntimeDefault", "Directory"));
        table.put("volumeMode", List.of("Filesystem", "Block"));
        table.put("weight", List.of(1, 50, 100));
        table.put("whenUnsatisfiable", List.of("DoNotSchedule", "ScheduleAnyway"));
        table.put("workingDir", List.of("/work", "/srv"));
        return table;
    }

    private final Random random;

    Values(Random random) {
        this.random = random;
    }

    /** A value as a person would write it: what is required, and some of the rest. */
    JsonNode full(Field field) {
        return value(field, 0.2);
    }

    /** Only what is required, and no element in a list. */
    JsonNode minimal(Field field) {
        return field.form() == Form.LIST ? JSON.arrayNode() : value(field, 0);
    }

    /** What says nothing: absent means the same, or something else, as the server has it. */
    JsonNode empty(Field field) {
        return switch (field.form()) {
            case STRUCT, MAP -> JSON.objectNode();
            case LIST -> JSON.arrayNode();
            case SCALAR ->
                switch (field.type().path("type").asText()) {
                    case "integer", "number" -> JSON.numberNode(0);
                    case "boolean" -> JSON.booleanNode(false);
                    case "string" -> JSON.textNode("");
                    default -> JSON.nullNode();
                };
        };
    }

    /** Takes away what may not stand beside this field. */
    void dropRivals(ObjectNode struct, Field field) {
        rivals(field).forEach(struct::remove);
    }

    JsonNode mapValue(Field map) {
        var value = map.type().path("additionalProperties");
        return value.has("$ref")
                ? quantity()
                : JSON.textNode(word(List.of("blue", "green", "7", "a value, with: signs")));
    }

    String mapKey(Field map) {
        return switch (map.name()) {
            case "limits", "requests", "overhead" ->
                word(List.of("cpu", "memory", "ephemeral-storage", "example.com/gpu", "hugepages-2Mi"));
            case "labels", "matchLabels", "nodeSelector" ->
                word(List.of("app", "tier", "example.com/team", "kubernetes.io/arch"));
            default -> word(List.of("example.com/checksum", "note", "prometheus.io/scrape"));
        };
    }

    /** The same amount in another spelling; empty if it is not one of ours. */
    Optional<JsonNode> respelled(JsonNode quantity) {
        return QUANTITIES.stream()
                .filter(spellings -> spellings.contains(quantity.asText()))
                .map(spellings -> (JsonNode) JSON.textNode(word(spellings)))
                .filter(spelling -> !spelling.equals(quantity))
                .findFirst();
    }

    static boolean isQuantity(Field field) {
        return field.typeName().equals("Quantity");
    }

    private JsonNode value(Field field, double share) {
        return switch (field.form()) {
            case STRUCT -> struct(field, share);
            case LIST -> list(field, share);
            case MAP -> map(field);
            case SCALAR -> scalar(field);
        };
    }

    private ObjectNode struct(Field field, double share) {
        var struct = JSON.objectNode();
        for (var child : field.children()) {
            if (child.isRequired() || random.nextDouble() < share) {
                dropRivals(struct, child);
                struct.set(child.step(), value(child, share / 2));
            }
        }
        if (NEVER_EMPTY.contains(field.typeName())
                && field.children().stream().noneMatch(child -> isOfUnion(child) && struct.has(child.step()))) {
            var choices = field.children().stream().filter(Values::isOfUnion).toList();
            var choice = choices.get(random.nextInt(choices.size()));
            struct.set(choice.step(), value(choice, share / 2));
        }
        return struct;
    }

    private ArrayNode list(Field field, double share) {
        var list = JSON.arrayNode();
        for (int count = 1 + random.nextInt(2); count > 0; count--) {
            list.add(value(field.element(), share));
        }
        return list;
    }

    private ObjectNode map(Field field) {
        var map = JSON.objectNode();
        for (int count = 1 + random.nextInt(2); count > 0; count--) {
            map.set(mapKey(field), mapValue(field));
        }
        return map;
    }

    private JsonNode scalar(Field field) {
        var known = TABLE.getOrDefault(field.owner() + "." + field.name(), TABLE.getOrDefault(field.name(), List.of()));
        if (field.type().has("enum")) {
            var words = field.type().path("enum");
            return words.path(random.nextInt(words.size()));
        }
        if (isQuantity(field)) {
            return quantity();
        }
        var type = field.typeName().equals("IntOrString")
                ? "int-or-string"
                : field.type().path("type").asText();
        return switch (type) {
            case "boolean" -> JSON.booleanNode(random.nextBoolean());
            case "integer" -> chosen(known, Number.class).orElseGet(() -> JSON.numberNode(1 + random.nextInt(100)));
            case "int-or-string" -> chosen(known, Object.class).orElseGet(() -> JSON.numberNode(8080));
            case "string" -> text(field, known);
            default -> JSON.objectNode().set("f:metadata", JSON.objectNode());
        };
    }

    private JsonNode text(Field field, List<Object> known) {
        return switch (field.type().path("format").asText()) {
            case "date-time" -> JSON.textNode("2026-01-0%dT03:04:05Z".formatted(1 + random.nextInt(9)));
            case "byte" -> JSON.textNode("AAAA");
            default -> chosen(known, String.class).orElseGet(() -> JSON.textNode(word(List.of("one", "two", "three"))));
        };
    }

    private Optional<JsonNode> chosen(List<Object> known, Class<?> kind) {
        var fitting = known.stream().filter(kind::isInstance).toList();
        return fitting.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        switch (fitting.get(random.nextInt(fitting.size()))) {
                            case Integer number -> JSON.numberNode(number);
                            case Object other -> JSON.textNode(other.toString());
                        });
    }

    private JsonNode quantity() {
        return JSON.textNode(word(QUANTITIES.get(random.nextInt(QUANTITIES.size()))));
    }

    private String word(List<String> words) {
        return words.get(random.nextInt(words.size()));
    }

    private static boolean isOfUnion(Field field) {
        var members = UNIONS.get(field.owner());
        return members != null && (members.isEmpty() ? !field.step().equals("name") : members.contains(field.step()));
    }

    private static List<String> rivals(Field field) {
        return isOfUnion(field)
                ? field.parent().orElseThrow().children().stream()
                        .filter(Values::isOfUnion)
                        .map(Field::step)
                        .filter(step -> !step.equals(field.step()))
                        .toList()
                : List.of();
    }
}
