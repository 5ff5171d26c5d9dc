package dev.gitopsinterlock.kinds;

import static dev.gitopsinterlock.immutability.Defaults.absent;
import static dev.gitopsinterlock.immutability.Defaults.zero;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.immutability.Defaults;
import dev.gitopsinterlock.immutability.Defaults.Row;
import dev.gitopsinterlock.immutability.OmittedZeros;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The defaults of the fixed fields of the kinds beside Job, by the kind's name. Source: the defaulting of Kubernetes 1.34 to
 * 1.37; the differential test of manifests holds it against the real API servers.
 */
final class KindDefaults {

    private static final String CLAIMS = "spec.volumeClaimTemplates.*.";
    private static final List<String> CLAIM_TEMPLATES = List.of("spec", "volumeClaimTemplates", "*");
    private static final Set<String> TYPE = Set.of("apiVersion", "kind");
    private static final List<String> CSI = List.of("spec", "csi");
    private static final List<String> DEVICES = List.of("spec", "spec", "devices", "requests", "*");
    private static final String EXACT = "ExactCount";
    private static final String REQUESTS = "spec.spec.devices.requests.*.";

    private static final Map<String, Defaults> OF = Map.of(
            "StatefulSet",
            Defaults.of(Stream.of(
                    zero("spec.podManagementPolicy", text("OrderedReady")),
                    absent(CLAIMS + "apiVersion", text("v1")),
                    absent(CLAIMS + "kind", text("PersistentVolumeClaim")),
                    absent(CLAIMS + "status", JsonNodeFactory.instance.objectNode()),
                    zero(CLAIMS + "status.phase", text("Pending")),
                    absent(CLAIMS + "spec.volumeMode", text("Filesystem")))),
            "PersistentVolumeClaim",
            Defaults.of(Stream.of(absent("spec.volumeMode", text("Filesystem")))),
            "PersistentVolume",
            Defaults.of(Stream.of(
                    absent("spec.volumeMode", text("Filesystem")),
                    absent("spec.hostPath.type", text("")),
                    zero("spec.iscsi.iscsiInterface", text("default")),
                    zero("spec.rbd.pool", text("rbd")),
                    zero("spec.rbd.user", text("admin")),
                    zero("spec.rbd.keyring", text("/etc/ceph/keyring")),
                    absent("spec.azureDisk.cachingMode", text("ReadWrite")),
                    absent("spec.azureDisk.kind", text("Shared")),
                    absent("spec.azureDisk.fsType", text("ext4")),
                    absent("spec.azureDisk.readOnly", BooleanNode.FALSE),
                    zero("spec.scaleIO.storageMode", text("ThinProvisioned")),
                    zero("spec.scaleIO.fsType", text("xfs")))),
            "RoleBinding",
            role(),
            "ClusterRoleBinding",
            role(),
            "StorageClass",
            Defaults.of(
                    Stream.of(absent("reclaimPolicy", text("Delete")), absent("volumeBindingMode", text("Immediate")))),
            "CSIDriver",
            Defaults.of(Stream.of(
                    absent("spec", JsonNodeFactory.instance.objectNode()),
                    absent("spec.attachRequired", BooleanNode.TRUE),
                    zero(
                            "spec.volumeLifecycleModes",
                            JsonNodeFactory.instance.arrayNode().add("Persistent")))),
            "PriorityClass",
            Defaults.of(Stream.of(
                    absent("value", IntNode.valueOf(0)), absent("preemptionPolicy", text("PreemptLowerPriority")))),
            "ResourceClaimTemplate",
            Defaults.of(Stream.concat(device(REQUESTS + "exactly."), device(REQUESTS + "firstAvailable.*."))),
            "Secret",
            Defaults.of(Stream.of(zero("type", text("Opaque")))));

    /** What an object has that is more than a fragment, such as a patch of kustomize; none of kinds of which nothing tells. */
    private static final Map<String, List<String>> REQUIRED = Map.of(
            "StatefulSet", List.of("/spec/selector", "/spec/template"),
            "Deployment", List.of("/spec/selector", "/spec/template"),
            "DaemonSet", List.of("/spec/selector", "/spec/template"),
            "ReplicaSet", List.of("/spec/selector", "/spec/template"),
            "PersistentVolumeClaim", List.of("/spec/accessModes", "/spec/resources"),
            "PersistentVolume", List.of("/spec/accessModes", "/spec/capacity"),
            "RoleBinding", List.of("/roleRef/name"),
            "ClusterRoleBinding", List.of("/roleRef/name"),
            "StorageClass", List.of("/provisioner"));

    private KindDefaults() {}

    static boolean isComplete(String kind, JsonNode manifest) {
        return REQUIRED.getOrDefault(kind, List.of()).stream()
                .noneMatch(field -> manifest.at(field).isMissingNode());
    }

    static Defaults of(String kind) {
        return OF.getOrDefault(kind, Defaults.NONE);
    }

    /** A manifest of the kind whose second ways to say something are written in the first. */
    static JsonNode written(String kind, JsonNode manifest) {
        return switch (kind) {
            case "Secret" -> withoutLineBreaks(withoutStringData(manifest), "data");
            case "ConfigMap" -> withoutLineBreaks(manifest, "binaryData");
            case "StatefulSet" -> without(manifest, CLAIM_TEMPLATES, field -> TYPE.contains(field.getKey()));
            // pointers in a Pod's volumes, values here
            case "PersistentVolume" -> without(manifest, CSI, field -> OmittedZeros.isZero(field.getValue()));
            case "ResourceClaimTemplate" -> withCounts(manifest);
            default -> manifest;
        };
    }

    /** One device, unless all are asked for. */
    private static JsonNode withCounts(JsonNode manifest) {
        ObjectNode written = manifest.deepCopy();
        Stream.of(List.of("exactly"), List.of("firstAvailable", "*"))
                .flatMap(request ->
                        Defaults.objects(
                                written,
                                Stream.concat(DEVICES.stream(), request.stream())
                                        .toList())
                                .stream())
                .filter(request -> request.path("allocationMode").asText(EXACT).equals(EXACT))
                .forEach(request -> Defaults.fillIn(request, "count", LongNode.valueOf(1), true));
        return written;
    }

    /** The API server puts it into {@code data}. */
    private static JsonNode withoutStringData(JsonNode manifest) {
        if (!(manifest.get("stringData") instanceof ObjectNode texts)) {
            return manifest;
        }
        ObjectNode secret = manifest.deepCopy();
        secret.remove("stringData");
        var data = secret.get("data") instanceof ObjectNode known ? known : secret.putObject("data");
        texts.properties()
                .forEach(text -> data.put(
                        text.getKey(),
                        Base64.getEncoder()
                                .encodeToString(text.getValue().asText().getBytes(UTF_8))));
        return secret;
    }

    /** Base64 may have them anywhere. */
    private static JsonNode withoutLineBreaks(JsonNode manifest, String field) {
        ObjectNode written = manifest.deepCopy();
        if (written.get(field) instanceof ObjectNode data) {
            List.copyOf(data.properties()).stream()
                    .filter(entry -> entry.getValue().isTextual())
                    .forEach(entry -> data.put(
                            entry.getKey(), entry.getValue().textValue().replaceAll("[\\r\\n]", "")));
        }
        return written;
    }

    private static JsonNode without(
            JsonNode manifest, List<String> around, Predicate<Map.Entry<String, JsonNode>> fields) {
        ObjectNode written = manifest.deepCopy();
        Defaults.objects(written, around).forEach(object -> object.properties().removeIf(fields));
        return written;
    }

    private static Defaults role() {
        return Defaults.of(Stream.of(zero("roleRef.apiGroup", text("rbac.authorization.k8s.io"))));
    }

    private static Stream<Row> device(String request) {
        return Stream.of(
                zero(request + "allocationMode", text(EXACT)), zero(request + "tolerations.*.operator", text("Equal")));
    }

    private static JsonNode text(String text) {
        return TextNode.valueOf(text);
    }
}
