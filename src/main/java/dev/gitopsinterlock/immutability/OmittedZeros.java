package dev.gitopsinterlock.immutability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;

/**
 * Fields with a value that means nothing: {@code false}, no text, zero. An API server that decodes and encodes them leaves
 * them out, unless they are pointers in the Go types, where such a value says something. Source: k8s.io/api 1.37.
 */
public final class OmittedZeros {

    /** Names that stand for a pointer wherever they are. */
    private static final Set<String> POINTERS = Set.of(
            "activeDeadlineSeconds",
            "adminAccess",
            "allowPrivilegeEscalation",
            "apiGroup",
            "attachRequired",
            "automountServiceAccountToken",
            "backoffLimit",
            "backoffLimitPerIndex",
            "blockOwnerDeletion",
            "cachingMode",
            "completionMode",
            "completions",
            "controller",
            "currentVolumeAttributesClassName",
            "defaultMode",
            "deletionGracePeriodSeconds",
            "distinctAttribute",
            "enableServiceLinks",
            "expirationSeconds",
            "fsGroup",
            "fsGroupChangePolicy",
            "gmsaCredentialSpec",
            "gmsaCredentialSpecName",
            "hostProcess",
            "hostUsers",
            "hostnameOverride",
            "initiatorName",
            "kind",
            "localhostProfile",
            "lun",
            "managedBy",
            "manualSelector",
            "matchAttribute",
            "maxExpirationSeconds",
            "maxFailedIndexes",
            "minDomains",
            "mode",
            "mountPropagation",
            "nodeAffinityPolicy",
            "nodeTaintsPolicy",
            "optional",
            "parallelism",
            "podGroupName",
            "podReplacementPolicy",
            "preemptionPolicy",
            "priority",
            "privileged",
            "procMount",
            "readOnlyRootFilesystem",
            "recursiveReadOnly",
            "resourceClaimName",
            "resourceClaimTemplateName",
            "runAsGroup",
            "runAsNonRoot",
            "runAsUser",
            "runAsUserName",
            "runtimeClassName",
            "seLinuxChangePolicy",
            "service",
            "setHostnameAsFQDN",
            "shareProcessNamespace",
            "sizeLimit",
            "stopSignal",
            "storageClassName",
            "succeededCount",
            "succeededIndexes",
            "supplementalGroupsPolicy",
            "suspend",
            "terminationGracePeriodSeconds",
            "tolerationSeconds",
            "ttlSecondsAfterFinished",
            "volumeAttributesClassName",
            "volumeMode");

    /** Pointers whose names are values' elsewhere, with what is around them. */
    private static final Set<String> POINTERS_THERE = Set.of(
            "azureDisk.fsType",
            "azureDisk.readOnly",
            "azureFile.secretNamespace",
            "clusterTrustBundle.name",
            "clusterTrustBundle.signerName",
            "containers.restartPolicy",
            "csi.fsType",
            "csi.readOnly",
            "dataSourceRef.namespace",
            "hostPath.type",
            "initContainers.restartPolicy",
            "local.fsType",
            "onExitCodes.containerName",
            "options.value");

    private OmittedZeros() {}

    /**
     * Removes them from a field and everything below it.
     *
     * @param semantics which of its parts are maps, whose values people chose
     */
    public static void remove(ObjectNode object, String field, FieldSemantics semantics) {
        remove(FieldPath.of(field), field, object.path(field), semantics);
    }

    private static void remove(FieldPath path, String name, JsonNode node, FieldSemantics semantics) {
        if (node instanceof ObjectNode object && !semantics.isMap(path) && !semantics.isOpaqueMap(path)) {
            object.properties().removeIf(field -> isZero(field.getValue()) && !isPointer(name, field.getKey()));
            List.copyOf(object.properties())
                    .forEach(field -> remove(path.field(field.getKey()), field.getKey(), field.getValue(), semantics));
        } else if (node.isArray()) {
            for (var item : node) {
                remove(path.index(0), name, item, semantics);
            }
        }
    }

    private static boolean isPointer(String around, String name) {
        return POINTERS.contains(name) || POINTERS_THERE.contains(around + "." + name);
    }

    /** Whether a value means nothing: no text, zero or {@code false}. */
    public static boolean isZero(JsonNode value) {
        if (value.isTextual()) {
            return value.textValue().isEmpty();
        }
        return value.isNumber() ? value.decimalValue().signum() == 0 : value.isBoolean() && !value.booleanValue();
    }
}
