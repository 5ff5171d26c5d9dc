package dev.gitopsinterlock.kinds;

import static dev.gitopsinterlock.kinds.KindTables.always;
import static dev.gitopsinterlock.kinds.KindTables.fixed;
import static dev.gitopsinterlock.kinds.KindTables.kind;
import static dev.gitopsinterlock.kinds.KindTables.patterns;
import static dev.gitopsinterlock.kinds.KindTables.said;
import static dev.gitopsinterlock.kinds.KindTables.semantics;
import static dev.gitopsinterlock.kinds.KindTables.table;

import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.guidance.RefusedFields;
import dev.gitopsinterlock.immutability.FieldSemantics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Volumes, claims of them, and claims of devices. */
final class VolumeKinds {

    private static final List<String> VOLUME_SOURCES = List.of(
            "awsElasticBlockStore",
            "azureDisk",
            "azureFile",
            "cephfs",
            "cinder",
            "csi",
            "fc",
            "flexVolume",
            "flocker",
            "gcePersistentDisk",
            "glusterfs",
            "hostPath",
            "iscsi",
            "local",
            "nfs",
            "photonPersistentDisk",
            "portworxVolume",
            "quobyte",
            "rbd",
            "scaleIO",
            "storageos",
            "vsphereVolume");

    private static final String[] SOURCE_FIELDS =
            VOLUME_SOURCES.stream().map(source -> "spec." + source).toArray(String[]::new);

    static final GuardedKind PERSISTENT_VOLUME_CLAIM = kind(
            new ResourceType("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims"),
            true,
            table(
                    fixed(Fixed.NEVER, "spec"),
                    Stream.of(
                                    fixed(Fixed.ONCE, "spec.volumeName"),
                                    fixed(Fixed.ONCE_PERHAPS, "spec.storageClassName"),
                                    fixed(Fixed.AS_THE_OTHER, "spec.dataSource", "spec.dataSourceRef"),
                                    fixed(Fixed.WHILE_BOUND, "spec.resources.requests[*]"),
                                    fixed(Fixed.WHILE_BOUND_BY_A_GATE, "spec.volumeAttributesClassName"))
                            .flatMap(List::stream)
                            .toList()),
            semantics(List.of("spec.resources"), List.of("spec.volumeName")),
            always("PersistentVolumeClaimEdit"),
            Stream.of(
                            // which it says twice, in both ways
                            said(RefusedFields.USUAL_PHRASE, "spec.volumeMode"),
                            said("Forbidden: spec is immutable after creation", "spec"))
                    .flatMap(List::stream)
                    .toList(),
            WrittenForm.PERSISTENT_VOLUME_CLAIM);

    static final GuardedKind PERSISTENT_VOLUME = kind(
            new ResourceType("", "v1", "PersistentVolume", "persistentvolumes"),
            false,
            table(
                    Stream.of(
                                    fixed(Fixed.NEVER, SOURCE_FIELDS),
                                    fixed(Fixed.NEVER, "spec.volumeMode"),
                                    fixed(Fixed.ONCE_OR_BY_A_GATE, "spec.nodeAffinity"))
                            .flatMap(List::stream)
                            .toList(),
                    fixed(Fixed.ONCE, "spec.csi.controllerExpandSecretRef")),
            semantics(List.of(), List.of()),
            always("PersistentVolumeEdit"),
            said("Forbidden: spec.persistentvolumesource is immutable after creation", SOURCE_FIELDS),
            WrittenForm.PERSISTENT_VOLUME);

    private static final String CLAIM = "spec.spec.devices.";

    /** What a gate that is off drops is no change. */
    static final GuardedKind RESOURCE_CLAIM_TEMPLATE = kind(
            new ResourceType("resource.k8s.io", "v1", "ResourceClaimTemplate", "resourceclaimtemplates"),
            true,
            table(
                    fixed(Fixed.NEVER, "spec"),
                    Stream.of(
                                    fixed(
                                            Fixed.LEFT_TO_THE_SERVER,
                                            CLAIM + "requests[*].exactly.capacity",
                                            CLAIM + "requests[*].firstAvailable[*].capacity"),
                                    fixed(
                                            Fixed.ONCE_PERHAPS,
                                            CLAIM + "requests[*].exactly.adminAccess",
                                            CLAIM + "requests[*].exactly.derivedAttributes",
                                            CLAIM + "requests[*].exactly.tolerations",
                                            CLAIM + "requests[*].firstAvailable",
                                            CLAIM + "requests[*].firstAvailable[*].derivedAttributes",
                                            CLAIM + "requests[*].firstAvailable[*].tolerations",
                                            CLAIM + "constraints[*].distinctAttribute"))
                            .flatMap(List::stream)
                            .toList()),
            new FieldSemantics(
                    Set.of("labels", "annotations"),
                    Set.of("parameters"),
                    patterns(List.of("spec.metadata", "spec.spec", "spec.spec.devices")),
                    List.of(),
                    patterns(List.of(
                            CLAIM + "requests[*].exactly.tolerations[*].key",
                            CLAIM + "requests[*].exactly.tolerations[*].value",
                            CLAIM + "requests[*].exactly.tolerations[*].effect")),
                    Set.of(),
                    Set.of(),
                    Map.of()),
            always("ResourceClaimTemplateEdit"),
            List.of(),
            WrittenForm.RESOURCE_CLAIM_TEMPLATE);

    private VolumeKinds() {}
}
