package dev.gitopsinterlock.job;

import static dev.gitopsinterlock.immutability.KubernetesVersion.V1_35;
import static dev.gitopsinterlock.immutability.KubernetesVersion.V1_36;
import static dev.gitopsinterlock.immutability.KubernetesVersion.V1_37;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.Difference.Kind;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.FieldTable.Row;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.immutability.PathPattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The fields of a Job's spec that the API server does not change, with every exception: the one place that knows, of
 * versions and their feature gates too.
 *
 * <p>Source: ValidateJobSpecUpdate, JobStrategy and the gates' defaults of Kubernetes 1.34 to 1.37. Where the version is
 * not known, an exception is read as widely as any of those versions with any of their gates reads it, so that what is
 * called refused here is refused by all of them. The differential tests (docs/differential.md) hold this
 * table against the real API servers.
 */
public final class ImmutableJobFields {

    /** When a field may change after all, or may seem to. */
    enum When {
        /** Never. */
        NEVER,
        /**
         * Scheduling directives of a suspended Job that has not started or, by a gate that is on in 1.36, has stopped.
         */
        TAKES_SCHEDULING_DIRECTIVES,
        /** Other metadata of the template, at which a server that takes resources does not look. */
        IS_NOT_LOOKED_AT,
        /** An affinity without any part comes or goes together with such directives. */
        COMES_OR_GOES_EMPTY,
        /** Container resources of such a Job, by a gate that is off in 1.35 and on in 1.36. */
        TAKES_RESOURCES,
        /** An Indexed Job is resized by completions and parallelism together. */
        RESIZED_WITH_PARALLELISM,
        /** Where the field's gate is off, the server drops the addition in silence and accepts the rest. */
        ADDED,
        /** It may be added while its gate is off, and go again; below it every change is refused. */
        COMES_OR_GOES,
        /** Always, whatever is said of what it is part of. */
        ALWAYS,
        /** Where the field's gate is off, the server overwrites it in silence and accepts the rest. */
        CHANGED_AT_ALL
    }

    /**
     * One row's exception.
     *
     * @param on versions whose gate for it is on unless somebody has switched it
     */
    record MutableWhen(When when, Set<KubernetesVersion> on) {

        MutableWhen {
            on = Set.copyOf(on);
        }

        FeatureGate gate(Optional<KubernetesVersion> version) {
            return version.map(known -> on.contains(known) ? FeatureGate.ON : FeatureGate.OFF)
                    .orElse(FeatureGate.UNKNOWN);
        }
    }

    private static final Set<KubernetesVersion> EVERYWHERE = KubernetesVersion.all();
    private static final Set<KubernetesVersion> NOWHERE = Set.of();

    public static final FieldTable<MutableWhen> TABLE = new FieldTable<>(
            Stream.of(
                            rows(When.RESIZED_WITH_PARALLELISM, EVERYWHERE, "spec.completions"),
                            rows(
                                    When.NEVER,
                                    NOWHERE,
                                    "spec.podFailurePolicy",
                                    "spec.successPolicy",
                                    "spec.backoffLimitPerIndex",
                                    "spec.selector",
                                    "spec.template",
                                    "spec.completionMode",
                                    "spec.managedBy"),
                            rows(When.COMES_OR_GOES, NOWHERE, "spec.scheduling"))
                    .flatMap(List::stream)
                    .toList(),
            Stream.of(
                            rows(When.ALWAYS, EVERYWHERE, "spec.scheduling.schedulingPolicy.gang.minCount"),
                            rows(
                                    When.TAKES_SCHEDULING_DIRECTIVES,
                                    V1_36.andNewer(),
                                    "spec.template.metadata.annotations",
                                    "spec.template.metadata.labels",
                                    "spec.template.spec.affinity.nodeAffinity",
                                    "spec.template.spec.nodeSelector",
                                    "spec.template.spec.schedulingGates",
                                    "spec.template.spec.tolerations"),
                            rows(When.IS_NOT_LOOKED_AT, V1_36.andNewer(), "spec.template.metadata"),
                            rows(When.COMES_OR_GOES_EMPTY, V1_36.andNewer(), "spec.template.spec.affinity"),
                            containerRows(When.TAKES_RESOURCES, V1_36.andNewer(), "resources"),
                            // fields whose gate can be off on some server from 1.34 to 1.37
                            rows(
                                    When.ADDED,
                                    EVERYWHERE,
                                    "spec.template.spec.hostUsers",
                                    "spec.template.spec.resourceClaims",
                                    "spec.template.spec.resources",
                                    "spec.template.spec.securityContext.seLinuxChangePolicy",
                                    "spec.template.spec.securityContext.supplementalGroupsPolicy",
                                    "spec.template.spec.topologySpreadConstraints[*].matchLabelKeys"),
                            rows(
                                    When.ADDED,
                                    V1_35.andNewer(),
                                    "spec.template.spec.hostnameOverride",
                                    "spec.template.spec.volumes[*].image"),
                            rows(
                                    When.ADDED,
                                    V1_37.andNewer(),
                                    "spec.template.spec.volumes[*].projected.sources[*].clusterTrustBundle",
                                    "spec.template.spec.volumes[*].projected.sources[*].podCertificate"),
                            rows(
                                    When.ADDED,
                                    NOWHERE,
                                    "spec.template.spec.evictionResponders",
                                    "spec.template.spec.schedulingGroup",
                                    "spec.template.spec.volumes[*].emptyDir.mode",
                                    "spec.template.spec.workloadRef"),
                            userRows(),
                            containerRows(When.ADDED, EVERYWHERE, "resizePolicy", "resources.claims"),
                            rows(When.ADDED, EVERYWHERE, "spec.template.spec.initContainers[*].restartPolicy"),
                            rows(When.ADDED, V1_35.andNewer(), "spec.template.spec.containers[*].restartPolicy"),
                            containerRows(
                                    When.ADDED, V1_35.andNewer(), "env[*].valueFrom.fileKeyRef", "restartPolicyRules"),
                            containerRows(
                                    When.ADDED,
                                    NOWHERE,
                                    "lifecycle.stopSignal",
                                    "lifecycle.postStart.httpGet.protocol",
                                    "lifecycle.preStop.httpGet.protocol",
                                    "livenessProbe.grpc.mode",
                                    "livenessProbe.httpGet.protocol",
                                    "readinessProbe.grpc.mode",
                                    "readinessProbe.httpGet.protocol",
                                    "startupProbe.grpc.mode",
                                    "startupProbe.httpGet.protocol",
                                    "volumeMounts[*].bindMountOptions"),
                            containerRows(When.CHANGED_AT_ALL, EVERYWHERE, "securityContext.procMount"))
                    .flatMap(List::stream)
                    .toList());

    private static List<Row<MutableWhen>> rows(When when, Set<KubernetesVersion> on, String... fields) {
        return Stream.of(fields)
                .map(field -> new Row<>(PathPattern.parse(field), new MutableWhen(when, on)))
                .toList();
    }

    private static List<Row<MutableWhen>> containerRows(When when, Set<KubernetesVersion> on, String... fields) {
        return Containers.LISTS.stream()
                .flatMap(list -> Stream.of(fields).map(field -> "spec.template.spec." + list + "[*]." + field))
                .flatMap(field -> rows(when, on, field).stream())
                .toList();
    }

    /** Who owns the files of a volume: by a gate that is off everywhere. */
    private static List<Row<MutableWhen>> userRows() {
        var files = Stream.of("configMap", "downwardAPI", "secret")
                .flatMap(source ->
                        Stream.of(source + ".defaultUser", source + ".items[*].user", projected(source + ".items[*]")));
        var projections = Stream.of("clusterTrustBundle", "podCertificate", "serviceAccountToken")
                .map(ImmutableJobFields::projected);
        return Stream.of(files, projections, Stream.of("projected.defaultUser"))
                .flatMap(fields -> fields)
                .flatMap(field -> rows(When.ADDED, NOWHERE, "spec.template.spec.volumes[*]." + field).stream())
                .toList();
    }

    private static String projected(String source) {
        return "projected.sources[*]." + source + ".user";
    }

    private ImmutableJobFields() {}

    /**
     * Whether every supported API server accepts a difference, none, or some.
     *
     * @param state of the live Job
     * @param after the new spec
     */
    public static Mutability mutability(Difference difference, JobState state, JsonNode after) {
        return mutability(difference, state, after, Optional.empty());
    }

    /**
     * Whether the API server accepts a difference.
     *
     * @param state of the live Job
     * @param after the new spec
     * @param version of the server, whose gates are as they come; empty if any counts
     */
    public static Mutability mutability(
            Difference difference, JobState state, JsonNode after, Optional<KubernetesVersion> version) {
        return TABLE.mutability(
                difference,
                row -> mutability(row.exemption().when(), row.exemption().gate(version), difference, state, after));
    }

    /** Whether the field of a Job that is suspended, or that is resized, may change on some server. */
    public static boolean mayEverChange(FieldPath path) {
        return TABLE.exemptions(path).stream().anyMatch(exemption -> switch (exemption.when()) {
            case TAKES_SCHEDULING_DIRECTIVES,
                    IS_NOT_LOOKED_AT,
                    COMES_OR_GOES_EMPTY,
                    TAKES_RESOURCES,
                    RESIZED_WITH_PARALLELISM -> true;
            case NEVER, ADDED, COMES_OR_GOES, ALWAYS, CHANGED_AT_ALL -> false;
        });
    }

    /** Whether a difference that one row covers is accepted, by the exemption of that row. */
    static Mutability mutability(When when, FeatureGate gate, Difference difference, JobState state, JsonNode after) {
        return switch (when) {
            case NEVER -> Mutability.REFUSED;
            case TAKES_SCHEDULING_DIRECTIVES -> state.schedulingDirectives(gate);
            case IS_NOT_LOOKED_AT -> state.otherMetadata(gate);
            case COMES_OR_GOES_EMPTY ->
                JobFieldSemantics.SEMANTICS.isReportedThroughChildren(difference.path())
                        ? state.schedulingDirectives(gate)
                        : Mutability.REFUSED;
            case TAKES_RESOURCES -> state.resources(gate);
            case RESIZED_WITH_PARALLELISM -> resized(after);
            case ADDED -> difference.kind() == Kind.ADDED ? acceptedWithoutGate(gate) : Mutability.REFUSED;
            case COMES_OR_GOES ->
                difference.kind() == Kind.CHANGED || difference.path().steps().size() > 2
                        ? Mutability.REFUSED
                        : acceptedWithoutGate(gate);
            case ALWAYS -> Mutability.ACCEPTED;
            case CHANGED_AT_ALL -> acceptedWithoutGate(gate);
        };
    }

    /** A field whose gate is off is no field. */
    private static Mutability acceptedWithoutGate(FeatureGate gate) {
        return switch (gate) {
            case ON -> Mutability.REFUSED;
            case OFF -> Mutability.ACCEPTED;
            case UNKNOWN -> Mutability.UNSURE;
        };
    }

    private static Mutability resized(JsonNode after) {
        if (isResizedWithParallelism(after)) {
            return Mutability.ACCEPTED;
        }
        return isIncomplete(after) ? Mutability.UNSURE : Mutability.REFUSED;
    }

    private static boolean isResizedWithParallelism(JsonNode after) {
        return isIndexed(after)
                && after.hasNonNull("completions")
                && after.path("completions").asInt()
                        == after.path("parallelism").asInt(1);
    }

    /** An Indexed Job without completions is refused as incomplete, not as changed: the server's words fit better. */
    private static boolean isIncomplete(JsonNode after) {
        return isIndexed(after) && !after.hasNonNull("completions");
    }

    public static boolean isIndexed(JsonNode spec) {
        return spec.path("completionMode").asText().equals("Indexed");
    }
}
