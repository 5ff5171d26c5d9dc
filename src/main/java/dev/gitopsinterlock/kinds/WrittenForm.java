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
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What manifests of a kind beside Job leave to the API server, and how else they are written. Source: the defaulting of
 * Kubernetes 1.34 to 1.37; the differential test of manifests holds it against the real API servers.
 *
 * @param values defaults of its fixed fields
 * @param required what an object has that is more than a fragment, such as a patch of kustomize
 * @param versions where a version stands that cannot change
 * @param rewritten a manifest whose second ways to say something are written in the first
 * @param converted a manifest of any version of the API as the one has it that the table knows
 */
record WrittenForm(
        Defaults values,
        List<String> required,
        VersionLabels versions,
        UnaryOperator<JsonNode> rewritten,
        UnaryOperator<JsonNode> converted) {

    private static final String CLAIMS = "spec.volumeClaimTemplates.*.";
    private static final List<String> CLAIM_TEMPLATES = List.of("spec", "volumeClaimTemplates", "*");
    private static final Set<String> TYPE = Set.of("apiVersion", "kind");
    private static final List<String> CSI = List.of("spec", "csi");
    private static final Set<String> PARTS_OF_REQUEST = Set.of("name", "exactly", "firstAvailable");
    private static final String EXACT = "ExactCount";

    private static final List<String> WORKLOAD = List.of("/spec/selector", "/spec/template");

    static final WrittenForm NO_DEFAULTS = of(List.of());

    static final WrittenForm STATEFUL_SET = of(
                    WORKLOAD,
                    zero("spec.podManagementPolicy", text("OrderedReady")),
                    absent(CLAIMS + "apiVersion", text("v1")),
                    absent(CLAIMS + "kind", text("PersistentVolumeClaim")),
                    absent(CLAIMS + "status", JsonNodeFactory.instance.objectNode()),
                    zero(CLAIMS + "status.phase", text("Pending")),
                    absent(CLAIMS + "spec.volumeMode", text("Filesystem")))
            .with(VersionLabels.OF_STATEFUL_SET)
            .rewritten(manifest -> without(manifest, CLAIM_TEMPLATES, field -> TYPE.contains(field.getKey())));

    static final WrittenForm REPLICA_SET = of(WORKLOAD);

    /** Of a Deployment and a DaemonSet. */
    static final WrittenForm ROLLED_OUT = REPLICA_SET.with(VersionLabels.OF_SELECTOR);

    static final WrittenForm PERSISTENT_VOLUME_CLAIM =
            of(List.of("/spec/accessModes", "/spec/resources"), absent("spec.volumeMode", text("Filesystem")));

    static final WrittenForm PERSISTENT_VOLUME = of(
                    List.of("/spec/accessModes", "/spec/capacity"),
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
                    zero("spec.scaleIO.fsType", text("xfs")))
            // pointers in a Pod's volumes, values here
            .rewritten(manifest -> without(manifest, CSI, field -> OmittedZeros.isZero(field.getValue())));

    static final WrittenForm BINDING =
            of(List.of("/roleRef/name"), zero("roleRef.apiGroup", text("rbac.authorization.k8s.io")));

    static final WrittenForm STORAGE_CLASS = of(
            List.of("/provisioner"),
            absent("reclaimPolicy", text("Delete")),
            absent("volumeBindingMode", text("Immediate")));

    static final WrittenForm CSI_DRIVER = of(
            List.of(),
            absent("spec", JsonNodeFactory.instance.objectNode()),
            absent("spec.attachRequired", BooleanNode.TRUE),
            zero(
                    "spec.volumeLifecycleModes",
                    JsonNodeFactory.instance.arrayNode().add("Persistent")));

    static final WrittenForm PRIORITY_CLASS = of(
            List.of(), absent("value", IntNode.valueOf(0)), absent("preemptionPolicy", text("PreemptLowerPriority")));

    static final WrittenForm RESOURCE_CLAIM = ofDevices("spec");

    static final WrittenForm RESOURCE_CLAIM_TEMPLATE = ofDevices("spec.spec");

    static final WrittenForm CONFIG_MAP = NO_DEFAULTS.rewritten(manifest -> withoutLineBreaks(manifest, "binaryData"));

    static final WrittenForm SECRET = of(List.of(), zero("type", text("Opaque")))
            .rewritten(manifest -> withoutLineBreaks(withoutStringData(manifest), "data"));

    private static WrittenForm of(List<String> required, Row... values) {
        return new WrittenForm(
                Defaults.of(Stream.of(values)),
                required,
                VersionLabels.NONE,
                UnaryOperator.identity(),
                UnaryOperator.identity());
    }

    private static WrittenForm ofDevices(String claim) {
        var requests = claim + ".devices.requests.*";
        var names = List.of(requests.split("\\.", -1));
        return of(
                        List.of(),
                        zero(requests + ".exactly.allocationMode", text(EXACT)),
                        zero(requests + ".exactly.tolerations.*.operator", text("Equal")),
                        zero(requests + ".firstAvailable.*.allocationMode", text(EXACT)),
                        zero(requests + ".firstAvailable.*.tolerations.*.operator", text("Equal")))
                .rewritten(manifest -> withCounts(manifest, names))
                .converted(manifest -> withNestedRequests(manifest, names));
    }

    private WrittenForm with(VersionLabels places) {
        return new WrittenForm(values, required, places, rewritten, converted);
    }

    private WrittenForm rewritten(UnaryOperator<JsonNode> otherwise) {
        return new WrittenForm(values, required, versions, otherwise, converted);
    }

    private WrittenForm converted(UnaryOperator<JsonNode> otherwise) {
        return new WrittenForm(values, required, versions, rewritten, otherwise);
    }

    boolean isComplete(JsonNode manifest) {
        return required.stream().noneMatch(field -> manifest.at(field).isMissingNode());
    }

    /** Before v1beta2 a request itself had what is in {@code exactly}. */
    private static JsonNode withNestedRequests(JsonNode manifest, List<String> requests) {
        ObjectNode written = manifest.deepCopy();
        for (var request : Defaults.objects(written, requests)) {
            var flat = JsonNodeFactory.instance.objectNode();
            request.properties().stream()
                    .filter(field -> !PARTS_OF_REQUEST.contains(field.getKey()))
                    .forEach(field -> flat.set(field.getKey(), field.getValue()));
            if (!flat.isEmpty() && !request.has("exactly")) {
                request.retain(PARTS_OF_REQUEST);
                request.set("exactly", flat);
            }
        }
        return written;
    }

    /** One device, unless all are asked for. */
    private static JsonNode withCounts(JsonNode manifest, List<String> requests) {
        ObjectNode written = manifest.deepCopy();
        Stream.of(List.of("exactly"), List.of("firstAvailable", "*"))
                .flatMap(request ->
                        Defaults.objects(
                                written,
                                Stream.concat(requests.stream(), request.stream())
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

    private static JsonNode text(String text) {
        return TextNode.valueOf(text);
    }
}
