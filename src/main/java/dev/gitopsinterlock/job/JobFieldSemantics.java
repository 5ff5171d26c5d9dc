package dev.gitopsinterlock.job;

import dev.gitopsinterlock.immutability.FieldSemantics;
import dev.gitopsinterlock.immutability.PathPattern;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What counts as equal in a Job's spec. An integration test compares it with the API server's own schema and answers. */
public final class JobFieldSemantics {

    private static final String POD = "spec.template.spec.";
    private static final String CLAIM = POD + "volumes[*].ephemeral.volumeClaimTemplate.";
    private static final String PREFERRED = ".preferredDuringSchedulingIgnoredDuringExecution[*].";

    private static final List<String> STRUCTS_BY_VALUE = Stream.of(
                    Stream.of(
                            "spec.template",
                            "spec.template.metadata",
                            "spec.template.spec",
                            CLAIM + "metadata",
                            CLAIM + "spec",
                            CLAIM + "spec.resources",
                            POD + "affinity.nodeAffinity" + PREFERRED + "preference",
                            POD + "affinity.podAffinity" + PREFERRED + "podAffinityTerm",
                            POD + "affinity.podAntiAffinity" + PREFERRED + "podAffinityTerm"),
                    ofContainers("resources"),
                    Stream.of(POD + "ephemeralContainers[*].resources"),
                    // a pointer, but defaulting always fills it in
                    Stream.of(POD + "securityContext"))
            .flatMap(paths -> paths)
            .toList();

    private static final List<String> REPORTED_THROUGH_CHILDREN = Stream.concat(
                    Stream.of(POD + "affinity"), ofContainers("lifecycle"))
            .toList();

    /** Scalars that people set. */
    private static final List<String> SCALARS_BY_VALUE = Stream.concat(
                    Stream.of(
                                    "hostIPC",
                                    "hostNetwork",
                                    "hostPID",
                                    "hostname",
                                    "nodeName",
                                    "priorityClassName",
                                    "schedulerName",
                                    "serviceAccountName",
                                    "subdomain")
                            .map(name -> POD + name),
                    ofContainers(
                            "imagePullPolicy",
                            "stdin",
                            "stdinOnce",
                            "terminationMessagePath",
                            "tty",
                            "volumeMounts[*].readOnly",
                            "volumeMounts[*].subPath",
                            "volumeMounts[*].subPathExpr",
                            "workingDir"))
            .toList();

    public static final FieldSemantics SEMANTICS = new FieldSemantics(
            Set.of("labels", "annotations", "matchLabels", "nodeSelector", "limits", "requests", "overhead"),
            Set.of("options", "volumeAttributes", "userAnnotations"),
            patterns(STRUCTS_BY_VALUE),
            patterns(REPORTED_THROUGH_CHILDREN),
            patterns(SCALARS_BY_VALUE),
            Set.of("limits", "requests", "overhead", "sizeLimit"),
            Set.of("divisor"),
            Map.of("serviceAccount", "serviceAccountName"));

    private JobFieldSemantics() {}

    private static Stream<String> ofContainers(String... fields) {
        return Containers.LISTS.stream().flatMap(list -> Stream.of(fields).map(field -> POD + list + "[*]." + field));
    }

    private static List<PathPattern> patterns(List<String> paths) {
        return paths.stream().map(PathPattern::parse).toList();
    }
}
