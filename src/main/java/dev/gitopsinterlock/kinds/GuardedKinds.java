package dev.gitopsinterlock.kinds;

import static dev.gitopsinterlock.kinds.KindTables.always;
import static dev.gitopsinterlock.kinds.KindTables.fixed;
import static dev.gitopsinterlock.kinds.KindTables.kind;
import static dev.gitopsinterlock.kinds.KindTables.patterns;
import static dev.gitopsinterlock.kinds.KindTables.said;
import static dev.gitopsinterlock.kinds.KindTables.saidBefore;
import static dev.gitopsinterlock.kinds.KindTables.semantics;
import static dev.gitopsinterlock.kinds.KindTables.table;
import static dev.gitopsinterlock.kinds.WrittenForm.CSI_DRIVER;
import static dev.gitopsinterlock.kinds.WrittenForm.NO_DEFAULTS;
import static dev.gitopsinterlock.kinds.WrittenForm.PRIORITY_CLASS;
import static dev.gitopsinterlock.kinds.WrittenForm.STORAGE_CLASS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.EditRoute;
import dev.gitopsinterlock.edit.EditRoute.CreateRule;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.Kinds;
import dev.gitopsinterlock.effect.EffectRunner;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldSemantics;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.FieldTable.Row;
import dev.gitopsinterlock.immutability.Quantity;
import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.policy.Namespaces;
import dev.gitopsinterlock.policy.Policy;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The kinds beside Job, with the fields that the API server does not change: the one place that knows.
 *
 * <p>Source: the update validation of Kubernetes 1.34 to 1.37 (pkg/apis/apps, core, rbac, storage, networking, scheduling,
 * node, resource). Where versions or gates differ, a field counts as fixed only where all of them agree. The
 * differential test holds these tables against the real API servers.
 */
public final class GuardedKinds {

    private static final String CLAIMS = "spec.volumeClaimTemplates";

    private static final FieldTable<Fixed> STATEFUL_SET_FIELDS = table(
            fixed(Fixed.NEVER, "spec.selector", CLAIMS, "spec.serviceName", "spec.podManagementPolicy"),
            fixed(
                    Fixed.ONCE_PERHAPS,
                    CLAIMS + "[*].spec.dataSource",
                    CLAIMS + "[*].spec.dataSourceRef",
                    CLAIMS + "[*].spec.volumeAttributesClassName"));

    private static final GuardedKind STATEFUL_SET = kind(
                    ResourceType.STATEFUL_SET,
                    true,
                    STATEFUL_SET_FIELDS,
                    semantics(
                            List.of(
                                    CLAIMS + "[*].metadata",
                                    CLAIMS + "[*].spec",
                                    CLAIMS + "[*].spec.resources",
                                    CLAIMS + "[*].status"),
                            List.of("spec.serviceName", "spec.podManagementPolicy", CLAIMS + "[*].spec.volumeName")),
                    GuardedKinds::ofStatefulSet,
                    saidBefore(
                            37,
                            "Forbidden: updates to statefulset spec for fields other than a few are forbidden",
                            "spec"),
                    WrittenForm.STATEFUL_SET)
            .withStrategy(new StatefulSetStrategy(STATEFUL_SET_FIELDS.fields()));

    /** Those that are explained beside Job, in the order of the docs. */
    public static final List<GuardedKind> BESIDE_JOB = List.of(
            STATEFUL_SET,
            selected("Deployment", WrittenForm.ROLLED_OUT),
            selected("DaemonSet", WrittenForm.ROLLED_OUT),
            selected("ReplicaSet", WrittenForm.REPLICA_SET),
            VolumeKinds.PERSISTENT_VOLUME_CLAIM,
            VolumeKinds.PERSISTENT_VOLUME,
            bound("RoleBinding", true),
            bound("ClusterRoleBinding", false),
            of(
                            "storage.k8s.io",
                            "StorageClass",
                            "storageclasses",
                            STORAGE_CLASS,
                            "provisioner",
                            "parameters",
                            "reclaimPolicy",
                            "volumeBindingMode")
                    .whoseServerSays(saidBefore(
                            36,
                            "Forbidden: updates to %s are forbidden",
                            "parameters",
                            "provisioner",
                            "reclaimPolicy")),
            of(
                            "storage.k8s.io",
                            "VolumeAttributesClass",
                            "volumeattributesclasses",
                            NO_DEFAULTS,
                            "driverName",
                            "parameters")
                    .whoseServerSays(said("Forbidden: updates to %s are forbidden", "driverName", "parameters")),
            of(
                    "storage.k8s.io",
                    "CSIDriver",
                    "csidrivers",
                    CSI_DRIVER,
                    "spec.attachRequired",
                    "spec.volumeLifecycleModes"),
            of("networking.k8s.io", "IngressClass", "ingressclasses", NO_DEFAULTS, "spec.controller"),
            of("scheduling.k8s.io", "PriorityClass", "priorityclasses", PRIORITY_CLASS, "value", "preemptionPolicy")
                    .whoseServerSays(said("Forbidden: may not be changed in an update", "value")),
            of("node.k8s.io", "RuntimeClass", "runtimeclasses", NO_DEFAULTS, "handler"),
            VolumeKinds.RESOURCE_CLAIM,
            VolumeKinds.RESOURCE_CLAIM_TEMPLATE,
            content("ConfigMap", WrittenForm.CONFIG_MAP, List.of(), "data", "binaryData", "immutable"),
            content("Secret", WrittenForm.SECRET, fixed(Fixed.NEVER, "type"), "data", "immutable"));

    /** All that are known. */
    public static final Kinds ALL =
            new Kinds(Stream.concat(Stream.of(JobKind.JOB), BESIDE_JOB.stream()).toList());

    private GuardedKinds() {}

    /** The webhook for them, where a refused edit is explained, or, of a StatefulSet, carried out; the parameters as in {@link EditRoute}. */
    public static EditRoute route(
            Policy.Levels levels, Namespaces namespaces, EffectRunner effects, IntSupplier minor) {
        return new EditRoute(
                "mutate/objects", new Kinds(BESIDE_JOB), levels, namespaces, effects, minor, CreateRule.NONE);
    }

    /** Orphaned Pods are of use only to a StatefulSet that selects them and has the volumes that they have. */
    private static GuidanceCode ofStatefulSet(Change change, List<FieldPath> refused) {
        if (isAmong(refused, "selector") || !claimNames(change.before()).equals(claimNames(change.after()))) {
            return GuidanceCode.STATEFUL_SET_PODS_EDIT;
        }
        var claims = refused.stream()
                .filter(path -> path.toString().startsWith(CLAIMS))
                .toList();
        return new GuidanceCode(claims.isEmpty() ? "StatefulSetEdit" : ofClaims(change, claims));
    }

    /** By what helps least: no claim that is there gets another class, or a smaller size; a larger one it can get. */
    private static String ofClaims(Change change, List<FieldPath> refused) {
        if (refused.stream()
                .allMatch(path -> isOf(path, "metadata", "labels") || isOf(path, "metadata", "annotations"))) {
            return "StatefulSetClaimLabelsEdit";
        }
        if (!refused.stream().allMatch(path -> isOf(path, "metadata") || isOf(path, "spec", "resources", "requests"))) {
            return "StatefulSetClaimClassEdit";
        }
        var sizes = sizes(change.before());
        var grown = sizes(change.after());
        return IntStream.range(0, sizes.size()).allMatch(i -> Quantity.isAtLeast(grown.get(i), sizes.get(i)))
                ? "StatefulSetClaimsEdit"
                : "StatefulSetClaimShrinkEdit";
    }

    /** Whether a path is of a part of a claim template. */
    private static boolean isOf(FieldPath path, String... part) {
        return path.steps().stream()
                .skip(3)
                .limit(part.length)
                .map(FieldPath.Step::name)
                .toList()
                .equals(List.of(part));
    }

    private static List<String> sizes(JsonNode set) {
        return set.path("spec")
                .path("volumeClaimTemplates")
                .valueStream()
                .map(claim -> claim.at("/spec/resources/requests/storage").asText())
                .toList();
    }

    private static boolean isAmong(List<FieldPath> refused, String field) {
        return refused.stream().anyMatch(path -> path.steps().get(1).name().equals(field));
    }

    private static List<String> claimNames(JsonNode set) {
        return set.path("spec")
                .path("volumeClaimTemplates")
                .valueStream()
                .map(claim -> claim.path("metadata").path("name").asText())
                .sorted()
                .toList();
    }

    private static GuardedKind selected(String name, WrittenForm written) {
        return kind(
                new ResourceType("apps", "v1", name, name.toLowerCase(Locale.ROOT) + "s"),
                true,
                table(fixed(Fixed.NEVER, "spec.selector"), List.of()),
                semantics(List.of(), List.of()),
                always("SelectorEdit"),
                List.of(),
                written);
    }

    private static GuardedKind bound(String name, boolean namespaced) {
        return kind(
                new ResourceType("rbac.authorization.k8s.io", "v1", name, name.toLowerCase(Locale.ROOT) + "s"),
                namespaced,
                table(fixed(Fixed.NEVER, "roleRef"), List.of()),
                semantics(List.of("roleRef"), List.of("roleRef.apiGroup", "roleRef.kind", "roleRef.name")),
                always("RoleRefEdit"),
                saidBefore(37, "cannot change roleRef", "roleRef"),
                WrittenForm.BINDING);
    }

    /** What others use by its name. */
    private static GuardedKind of(String group, String name, String plural, WrittenForm written, String... fields) {
        return kind(
                new ResourceType(group, "v1", name, plural),
                false,
                table(fixed(Fixed.NEVER, fields), List.of()),
                semantics(List.of(), List.of("provisioner", "driverName", "spec.controller", "handler", "value")),
                always(name + "Edit"),
                List.of(),
                written);
    }

    /** Of the content it is said only that it differs. */
    private static GuardedKind content(String name, WrittenForm written, List<Row<Fixed>> always, String... content) {
        return kind(
                new ResourceType("", "v1", name, name.toLowerCase(Locale.ROOT) + "s"),
                true,
                table(
                        Stream.concat(always.stream(), fixed(Fixed.UNLESS_IMMUTABLE, content).stream())
                                .toList(),
                        List.of()),
                new FieldSemantics(
                        Set.of(),
                        Set.of("data", "binaryData"),
                        List.of(),
                        List.of(),
                        patterns(List.of("type", "immutable")),
                        Set.of(),
                        Set.of(),
                        Map.of()),
                (change, refused) -> new GuidanceCode(
                        refused.getFirst().toString().equals("type") ? "SecretTypeEdit" : "ImmutableDataEdit"),
                List.of(),
                written);
    }
}
