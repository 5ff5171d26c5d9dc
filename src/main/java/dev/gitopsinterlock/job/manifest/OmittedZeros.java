package dev.gitopsinterlock.job.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.job.JobFieldSemantics;
import java.util.List;
import java.util.Set;

/**
 * Fields with a value that means nothing: {@code false}, no text, zero. An API server that decodes and encodes them leaves
 * them out, unless they are pointers in the Go types, where such a value says something. Source: batch/v1 and core/v1 of
 * k8s.io/api 1.36.
 */
final class OmittedZeros {

    /** Names that stand for a pointer wherever they are in a Job. */
    private static final Set<String> POINTERS = Set.of(
            "activeDeadlineSeconds",
            "allowPrivilegeEscalation",
            "apiGroup",
            "automountServiceAccountToken",
            "backoffLimit",
            "backoffLimitPerIndex",
            "blockOwnerDeletion",
            "cachingMode",
            "completionMode",
            "completions",
            "controller",
            "defaultMode",
            "deletionGracePeriodSeconds",
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
            "clusterTrustBundle.name",
            "clusterTrustBundle.signerName",
            "containers.restartPolicy",
            "csi.fsType",
            "csi.readOnly",
            "dataSourceRef.namespace",
            "hostPath.type",
            "initContainers.restartPolicy",
            "onExitCodes.containerName",
            "options.value");

    private OmittedZeros() {}

    static void remove(ObjectNode job) {
        remove(FieldPath.of("spec"), "spec", job.path("spec"));
    }

    private static void remove(FieldPath path, String name, JsonNode node) {
        if (node instanceof ObjectNode object && !isMap(path)) {
            object.properties().removeIf(field -> isZero(field.getValue()) && !isPointer(name, field.getKey()));
            List.copyOf(object.properties())
                    .forEach(field -> remove(path.field(field.getKey()), field.getKey(), field.getValue()));
        } else if (node.isArray()) {
            for (var item : node) {
                remove(path.index(0), name, item);
            }
        }
    }

    private static boolean isPointer(String around, String name) {
        return POINTERS.contains(name) || POINTERS_THERE.contains(around + "." + name);
    }

    private static boolean isMap(FieldPath path) {
        return JobFieldSemantics.SEMANTICS.isMap(path) || JobFieldSemantics.SEMANTICS.isOpaqueMap(path);
    }

    static boolean isZero(JsonNode value) {
        if (value.isTextual()) {
            return value.textValue().isEmpty();
        }
        return value.isNumber() ? value.decimalValue().signum() == 0 : value.isBoolean() && !value.booleanValue();
    }
}
