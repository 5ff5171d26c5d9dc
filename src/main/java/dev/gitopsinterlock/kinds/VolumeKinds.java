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
import java.util.Locale;
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

    static final GuardedKind RESOURCE_CLAIM = ofDevices("ResourceClaim", "spec", WrittenForm.RESOURCE_CLAIM);

    static final GuardedKind RESOURCE_CLAIM_TEMPLATE =
            ofDevices("ResourceClaimTemplate", "spec.spec", WrittenForm.RESOURCE_CLAIM_TEMPLATE);

    private VolumeKinds() {}

    /** What a gate that is off drops is no change. */
    private static GuardedKind ofDevices(String name, String claim, WrittenForm written) {
        var devices = claim + ".devices.";
        return kind(
                new ResourceType("resource.k8s.io", "v1", name, name.toLowerCase(Locale.ROOT) + "s"),
                true,
                table(
                        fixed(Fixed.NEVER, "spec"),
                        Stream.of(
                                        fixed(
                                                Fixed.LEFT_TO_THE_SERVER,
                                                devices + "requests[*].exactly.capacity",
                                                devices + "requests[*].firstAvailable[*].capacity"),
                                        fixed(
                                                Fixed.ONCE_PERHAPS,
                                                devices + "requests[*].exactly.adminAccess",
                                                devices + "requests[*].exactly.derivedAttributes",
                                                devices + "requests[*].exactly.tolerations",
                                                devices + "requests[*].firstAvailable",
                                                devices + "requests[*].firstAvailable[*].derivedAttributes",
                                                devices + "requests[*].firstAvailable[*].tolerations",
                                                devices + "constraints[*].distinctAttribute"))
                                .flatMap(List::stream)
                                .toList()),
                new FieldSemantics(
                        Set.of("labels", "annotations"),
                        Set.of("parameters"),
                        patterns(List.of("spec.metadata", claim, claim + ".devices")),
                        List.of(),
                        patterns(List.of(
                                devices + "requests[*].exactly.tolerations[*].key",
                                devices + "requests[*].exactly.tolerations[*].value",
                                devices + "requests[*].exactly.tolerations[*].effect")),
                        Set.of(),
                        Set.of(),
                        Map.of()),
                always(name + "Edit"),
                List.of(),
                written);
    }
}
