package dev.gitopsinterlock.system.differential;

import dev.gitopsinterlock.system.differential.Tally.Result;
import java.util.List;
import java.util.stream.Stream;

/**
 * Why an edit that this API server refuses has to be let through: another version, or this one with other feature
 * gates, accepts it. Read from Kubernetes' own sources, not from ours.
 */
enum Gates {
    RESOURCES(
            "container resources of a suspended Job: accepted with MutablePodResourcesForSuspendedJobs (from 1.35 on)"),
    SCHEDULING("scheduling directives and metadata of a suspended Job: accepted with"
            + " MutableSchedulingDirectivesForSuspendedJobs or MutablePodResourcesForSuspendedJobs (from 1.35 on), or without"
            + " the first if the Job never started"),
    DROPPED("a field with a gate: where the gate is off, the API server drops the field and accepts the rest"),
    NONE("**no reason known**");

    private static final String POD = "spec.template.spec.";

    private static final List<String> SCHEDULING_FIELDS = List.of(
            "spec.template.metadata",
            POD + "affinity",
            POD + "nodeSelector",
            POD + "schedulingGates",
            POD + "tolerations");

    private static final List<String> RESOURCE_FIELDS =
            inContainers("resources").toList();

    /** What PrepareForUpdate drops (dropDisabledFields in pkg/api/pod/util.go, 1.34 to 1.37). */
    private static final List<String> DROPPED_FIELDS = Stream.concat(
                    Stream.of(
                            "spec.scheduling",
                            POD + "evictionResponders",
                            POD + "hostUsers",
                            POD + "hostnameOverride",
                            POD + "resourceClaims",
                            POD + "resources",
                            POD + "schedulingGroup",
                            POD + "securityContext.seLinuxChangePolicy",
                            POD + "securityContext.supplementalGroupsPolicy",
                            POD + "topologySpreadConstraints[*].matchLabelKeys",
                            POD + "volumes[*].configMap.defaultUser",
                            POD + "volumes[*].configMap.items[*].user",
                            POD + "volumes[*].downwardAPI.defaultUser",
                            POD + "volumes[*].downwardAPI.items[*].user",
                            POD + "volumes[*].emptyDir.mode",
                            POD + "volumes[*].image",
                            POD + "volumes[*].projected.defaultUser",
                            POD + "volumes[*].projected.sources[*].configMap.items[*].user",
                            POD + "volumes[*].projected.sources[*].downwardAPI.items[*].user",
                            POD + "volumes[*].projected.sources[*].secret.items[*].user",
                            POD + "volumes[*].projected.sources[*].serviceAccountToken.user",
                            POD + "volumes[*].secret.defaultUser",
                            POD + "volumes[*].secret.items[*].user",
                            POD + "volumes[*].projected.sources[*].clusterTrustBundle",
                            POD + "volumes[*].projected.sources[*].podCertificate",
                            POD + "workloadRef"),
                    inContainers(
                            "env[*].valueFrom.fileKeyRef",
                            "lifecycle.postStart.httpGet.protocol",
                            "lifecycle.preStop.httpGet.protocol",
                            "lifecycle.stopSignal",
                            "livenessProbe.grpc.mode",
                            "livenessProbe.httpGet.protocol",
                            "readinessProbe.grpc.mode",
                            "readinessProbe.httpGet.protocol",
                            "startupProbe.grpc.mode",
                            "startupProbe.httpGet.protocol",
                            "volumeMounts[*].bindMountOptions",
                            "resizePolicy",
                            "resources.claims",
                            "restartPolicy",
                            "securityContext.procMount"))
            .toList();

    private final String text;

    Gates(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    static Gates of(Result result) {
        var isSuspended = result.state() == State.NEVER_STARTED || result.state() == State.STOPPED;
        if (isSuspended && touches(result, RESOURCE_FIELDS)) {
            return RESOURCES;
        }
        if (isSuspended && touches(result, SCHEDULING_FIELDS)) {
            return SCHEDULING;
        }
        return touches(result, DROPPED_FIELDS) ? DROPPED : NONE;
    }

    /** Also by an edit of something that holds the field. */
    private static boolean touches(Result result, List<String> fields) {
        return result.places().stream()
                .map(place -> place.field().path())
                .anyMatch(path -> fields.stream().anyMatch(field -> path.startsWith(field) || field.startsWith(path)));
    }

    private static Stream<String> inContainers(String... fields) {
        return Stream.of("containers", "initContainers")
                .flatMap(list -> Stream.of(fields).map(field -> POD + list + "[*]." + field));
    }
}
