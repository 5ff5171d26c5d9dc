package dev.gitopsinterlock.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.Difference.Kind;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.FieldTable.Row;
import dev.gitopsinterlock.immutability.PathPattern;
import java.util.List;
import java.util.stream.Stream;

/**
 * The fields of a Job's spec that the API server does not change, with every exception: the one place that knows.
 *
 * <p>Source: ValidateJobSpecUpdate and JobStrategy of Kubernetes 1.34 to 1.36. An exception is read as widely as any
 * of those versions with any of their gates reads it, so that what is called refused here is refused by all of them.
 * The differential test (docs/differential.md) holds this table against the real API servers.
 */
public final class ImmutableJobFields {

    /** When a field may change after all, or may seem to. */
    enum Exemption {
        /** Never. */
        NEVER,
        /** Scheduling directives of a suspended Job that has not started or has stopped. */
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
        /** Where the field's gate is off, the server overwrites it in silence and accepts the rest. */
        CHANGED_AT_ALL
    }

    public static final FieldTable<Exemption> TABLE = new FieldTable<>(
            Stream.of(
                            rows(Exemption.RESIZED_WITH_PARALLELISM, "spec.completions"),
                            rows(
                                    Exemption.NEVER,
                                    "spec.podFailurePolicy",
                                    "spec.successPolicy",
                                    "spec.backoffLimitPerIndex",
                                    "spec.selector",
                                    "spec.template",
                                    "spec.completionMode",
                                    "spec.managedBy"))
                    .flatMap(List::stream)
                    .toList(),
            Stream.of(
                            rows(
                                    Exemption.TAKES_SCHEDULING_DIRECTIVES,
                                    "spec.template.metadata.annotations",
                                    "spec.template.metadata.labels",
                                    "spec.template.spec.affinity.nodeAffinity",
                                    "spec.template.spec.nodeSelector",
                                    "spec.template.spec.schedulingGates",
                                    "spec.template.spec.tolerations"),
                            rows(Exemption.IS_NOT_LOOKED_AT, "spec.template.metadata"),
                            rows(Exemption.COMES_OR_GOES_EMPTY, "spec.template.spec.affinity"),
                            containerRows(Exemption.TAKES_RESOURCES, "resources"),
                            // fields whose gate can be off on some server from 1.34 to 1.36
                            rows(
                                    Exemption.ADDED,
                                    "spec.template.spec.hostUsers",
                                    "spec.template.spec.hostnameOverride",
                                    "spec.template.spec.resourceClaims",
                                    "spec.template.spec.resources",
                                    "spec.template.spec.schedulingGroup",
                                    "spec.template.spec.securityContext.seLinuxChangePolicy",
                                    "spec.template.spec.securityContext.supplementalGroupsPolicy",
                                    "spec.template.spec.topologySpreadConstraints[*].matchLabelKeys",
                                    "spec.template.spec.volumes[*].image",
                                    "spec.template.spec.volumes[*].projected.sources[*].clusterTrustBundle",
                                    "spec.template.spec.volumes[*].projected.sources[*].podCertificate",
                                    "spec.template.spec.workloadRef"),
                            containerRows(
                                    Exemption.ADDED,
                                    "env[*].valueFrom.fileKeyRef",
                                    "lifecycle.stopSignal",
                                    "resizePolicy",
                                    "resources.claims",
                                    "restartPolicy",
                                    "restartPolicyRules"),
                            containerRows(Exemption.CHANGED_AT_ALL, "securityContext.procMount"))
                    .flatMap(List::stream)
                    .toList());

    private static List<Row<Exemption>> rows(Exemption exemption, String... fields) {
        return Stream.of(fields)
                .map(field -> new Row<>(PathPattern.parse(field), exemption))
                .toList();
    }

    private static List<Row<Exemption>> containerRows(Exemption exemption, String... fields) {
        return Containers.LISTS.stream()
                .flatMap(list -> Stream.of(fields).map(field -> "spec.template.spec." + list + "[*]." + field))
                .flatMap(field -> rows(exemption, field).stream())
                .toList();
    }

    private ImmutableJobFields() {}

    /** What becomes of a difference at the API server. */
    public enum Mutability {
        /** The field may change. */
        ACCEPTED,
        /** It depends on the server's version or gates. */
        UNSURE,
        /** It is refused, whatever the version. */
        REFUSED
    }

    /**
     * Whether the API server accepts a difference.
     *
     * @param state of the live Job
     * @param after the new spec
     */
    public static Mutability mutability(Difference difference, JobState state, JsonNode after) {
        var exemptions = TABLE.exemptions(difference.path());
        if (exemptions.isEmpty()
                || exemptions.stream().anyMatch(exemption -> appliesEverywhere(exemption, difference, state, after))) {
            return Mutability.ACCEPTED;
        }
        return exemptions.stream().anyMatch(exemption -> applies(exemption, difference, state, after))
                ? Mutability.UNSURE
                : Mutability.REFUSED;
    }

    /** Whether the field of a Job that is suspended, or that is resized, may change on some server. */
    public static boolean mayEverChange(FieldPath path) {
        return TABLE.exemptions(path).stream().anyMatch(exemption -> switch (exemption) {
            case TAKES_SCHEDULING_DIRECTIVES,
                    IS_NOT_LOOKED_AT,
                    COMES_OR_GOES_EMPTY,
                    TAKES_RESOURCES,
                    RESIZED_WITH_PARALLELISM -> true;
            case NEVER, ADDED, CHANGED_AT_ALL -> false;
        });
    }

    /** Exceptions that hold on every version from 1.34 on, whatever its gates. */
    private static boolean appliesEverywhere(
            Exemption exemption, Difference difference, JobState state, JsonNode after) {
        return switch (exemption) {
            case TAKES_SCHEDULING_DIRECTIVES -> state.takesSchedulingDirectives();
            case COMES_OR_GOES_EMPTY ->
                state.takesSchedulingDirectives()
                        && JobFieldSemantics.SEMANTICS.isReportedThroughChildren(difference.path());
            case RESIZED_WITH_PARALLELISM -> isResizedWithParallelism(after);
            default -> false;
        };
    }

    private static boolean applies(Exemption exemption, Difference difference, JobState state, JsonNode after) {
        return switch (exemption) {
            case NEVER -> false;
            case TAKES_SCHEDULING_DIRECTIVES, IS_NOT_LOOKED_AT -> state.mayTakeSchedulingDirectives();
            case COMES_OR_GOES_EMPTY ->
                state.mayTakeSchedulingDirectives()
                        && JobFieldSemantics.SEMANTICS.isReportedThroughChildren(difference.path());
            case TAKES_RESOURCES -> state.mayTakeResources();
            case RESIZED_WITH_PARALLELISM -> isResizedWithParallelism(after) || isIncomplete(after);
            case ADDED -> difference.kind() == Kind.ADDED;
            case CHANGED_AT_ALL -> true;
        };
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
