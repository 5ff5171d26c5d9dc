package dev.gitopsinterlock.job.rule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.Step.Answered;
import dev.gitopsinterlock.admission.Step.Ask;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.EditReason;
import dev.gitopsinterlock.edit.EditRule;
import dev.gitopsinterlock.effect.PlannedEffect;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.immutability.Comparison;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.job.JobFieldSemantics;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tool.Requester;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for every edit; single ones are in the case folders. */
class JobEditRuleTest {

    private static final Policy.Levels REJECT = new Policy.Levels(
            Policy.Values.DEFAULT, true, new ReplacementScope.Off(ReplacementScope.Why.SWITCHED_OFF), Set.of());
    private static final FieldPath SPEC = FieldPath.of("spec");

    private static final List<String> MUTABLE = List.of(
            "/spec/parallelism",
            "/spec/backoffLimit",
            "/spec/activeDeadlineSeconds",
            "/spec/ttlSecondsAfterFinished",
            "/spec/maxFailedIndexes");

    private static final List<String> SCHEDULING = List.of(
            "/spec/template/metadata/labels/tier",
            "/spec/template/metadata/annotations/note",
            "/spec/template/spec/nodeSelector/pool",
            "/spec/template/spec/tolerations/0",
            "/spec/template/spec/schedulingGates/0",
            "/spec/template/spec/affinity/nodeAffinity/preferredDuringSchedulingIgnoredDuringExecution");

    private static final List<String> RESOURCES = List.of(
            "/spec/template/spec/containers/0/resources/limits/memory",
            "/spec/template/spec/containers/0/resources/requests/cpu",
            "/spec/template/spec/initContainers/0/resources/limits");

    private static final List<String> FROZEN = List.of(
            "/spec/template/spec/containers/0/image",
            "/spec/template/spec/containers/0/env/0/value",
            "/spec/template/spec/restartPolicy",
            "/spec/template/spec/volumes/0/configMap/name",
            "/spec/completionMode");

    @Property
    void sameFactsGiveTheSameDecision(@ForAll("lives") JsonNode live, @ForAll("edits") List<Edit> edits) {
        var change = change(live, edited(live, edits), false);

        assertThat(decide(change)).isEqualTo(decide(change));
    }

    @Property
    void dryRunGetsTheSameDecision(@ForAll("lives") JsonNode live, @ForAll("edits") List<Edit> edits) {
        var after = edited(live, edits);

        assertThat(decide(change(live, after, true))).isEqualTo(decide(change(live, after, false)));
    }

    @Property
    void treesAreLeftAsTheyWere(@ForAll("lives") JsonNode live, @ForAll("edits") List<Edit> edits) {
        var after = edited(live, edits);
        var copies = List.of(live.deepCopy(), after.deepCopy());

        decide(change(live, after, false));

        assertThat(List.of(live, after)).isEqualTo(copies);
    }

    @Property
    void updateWithEqualSpecsIsAllowed(@ForAll("lives") JsonNode live, @ForAll("edits") List<Edit> edits) {
        var job = edited(live, edits);

        assertThat(decide(change(job, job.deepCopy(), false)).verdict())
                .isEqualTo(new Allow(EditReason.NO_IMMUTABLE_CHANGE));
    }

    @Property
    void updateOfMetadataAloneIsAllowed(@ForAll("lives") JsonNode live, @ForAll String key, @ForAll String value) {
        ObjectNode after = live.deepCopy();
        after.withObject("/metadata/annotations").put(key, value);
        after.withObject("/metadata/labels").put(key, value);
        after.withObject("/metadata").put("generation", 7).remove("managedFields");
        after.withObject("/status").put("active", 3);

        assertThat(decide(change(live, after, false)).verdict()).isEqualTo(new Allow(EditReason.NO_IMMUTABLE_CHANGE));
    }

    @Property
    void mutableFieldsMayChangeInAnyState(@ForAll("lives") JsonNode live, @ForAll("mutable") List<Edit> edits) {
        assertThat(decide(change(live, edited(live, edits), false)).verdict()).isInstanceOf(Allow.class);
    }

    @Property
    void exemptEditOfASuspendedJobIsAllowed(
            @ForAll("suspended") JsonNode live, @ForAll("exempt") List<Edit> edits, @ForAll boolean resumed) {
        var after = Jobs.with(edited(live, edits), "/spec/suspend", Trees.json(Boolean.toString(!resumed)));

        assertThat(decide(change(live, after, false)).verdict()).isInstanceOf(Allow.class);
    }

    @Property
    void exemptEditOfAnActiveJobIsRefused(@ForAll("active") JsonNode live, @ForAll("exempt") List<Edit> edits) {
        assertThat(decide(change(live, edited(live, edits), false)).verdict()).isInstanceOf(Deny.class);
    }

    @Property
    void frozenEditIsRefusedInEveryState(@ForAll("lives") JsonNode live, @ForAll("frozen") Edit edit) {
        var verdict = decide(change(live, edited(live, List.of(edit)), false)).verdict();

        assertThat(verdict).isInstanceOf(Deny.class);
    }

    @Property
    void exemptEditDoesNotHideAFrozenOne(
            @ForAll("lives") JsonNode live, @ForAll("exempt") List<Edit> edits, @ForAll("frozen") Edit edit) {
        var before = decide(change(live, edited(live, List.of(edit)), false));
        var both = decide(change(live, edited(edited(live, edits), List.of(edit)), false));

        assertThat(fields(both)).containsAll(fields(before));
    }

    @Property
    void indexedJobIsResizedByBothNumbersTogether(@ForAll("sizes") int completions, @ForAll("sizes") int parallelism) {
        var live = Jobs.indexed();
        var after = Jobs.with(
                Jobs.with(live, "/spec/completions", Trees.json("" + completions)),
                "/spec/parallelism",
                Trees.json("" + parallelism));

        var verdict = decide(change(live, after, false)).verdict();

        assertThat(verdict instanceof Deny).isEqualTo(completions != 3 && completions != parallelism);
    }

    @Property
    void treeComparedWithItselfHasNoDifference(@ForAll("lives") JsonNode live, @ForAll("edits") List<Edit> edits) {
        var spec = edited(live, edits).path("spec");

        assertThat(Comparison.between(JobFieldSemantics.SEMANTICS, SPEC, spec, spec.deepCopy()))
                .hasValue(List.of());
    }

    @Property
    void comparisonIsSymmetric(@ForAll("lives") JsonNode live, @ForAll("edits") List<Edit> edits) {
        var before = live.path("spec");
        var after = edited(live, edits).path("spec");

        assertThat(paths(Comparison.between(JobFieldSemantics.SEMANTICS, SPEC, before, after)
                        .orElseThrow()))
                .containsExactlyInAnyOrderElementsOf(
                        paths(Comparison.between(JobFieldSemantics.SEMANTICS, SPEC, after, before)
                                .orElseThrow()));
    }

    @Property
    void nullSaysTheSameAsNothing(@ForAll("lives") JsonNode live, @ForAll("optional") String pointer) {
        var absent = Jobs.with(live, pointer, Trees.JSON.getNodeFactory().nullNode());
        ObjectNode isNull = absent.deepCopy();
        var at = JsonPointer.compile(pointer);
        if (isNull.at(at.head()) instanceof ObjectNode parent) {
            parent.putNull(at.last().getMatchingProperty());
        }

        assertThat(decide(change(live, isNull, false))).isEqualTo(decide(change(live, absent, false)));
        assertThat(decide(change(isNull, live, false))).isEqualTo(decide(change(absent, live, false)));
    }

    @Example
    void findingsComeInTheOrderOfTheApiReference() {
        var before = Jobs.finished();
        ObjectNode after = before.deepCopy();
        Trees.set(after, "/spec/managedBy", Trees.json("'example.com/other'"));
        Trees.set(after, "/spec/completionMode", Trees.json("'Indexed'"));
        Trees.set(after, "/spec/template/spec/restartPolicy", Trees.json("'OnFailure'"));
        Trees.set(after, "/spec/selector/matchLabels/app", Trees.json("'shop'"));
        Trees.set(after, "/spec/backoffLimitPerIndex", Trees.json("1"));
        Trees.set(after, "/spec/successPolicy", Trees.json("{'rules': []}"));
        Trees.set(after, "/spec/podFailurePolicy", Trees.json("{'rules': []}"));
        Trees.set(after, "/spec/completions", Trees.json("2"));

        assertThat(fields(decide(change(after, before, false))))
                .isEqualTo(fields(decide(change(before, after, false))))
                .containsExactly(
                        "spec.completions",
                        "spec.podFailurePolicy",
                        "spec.successPolicy",
                        "spec.backoffLimitPerIndex",
                        "spec.selector.matchLabels[app]",
                        "spec.template.spec.restartPolicy",
                        "spec.completionMode",
                        "spec.managedBy");
    }

    /** A pointer and what is to be there. */
    record Edit(String pointer, String value) {

        JsonNode node() {
            return pointer.endsWith("completionMode") || !MUTABLE.contains(pointer)
                    ? structured()
                    : Trees.json("" + value.length());
        }

        private JsonNode structured() {
            return switch (pointer.substring(pointer.lastIndexOf('/') + 1)) {
                case "0" -> Trees.json("{'name': 'example.com/%s', 'key': '%s'}".formatted(value, value));
                case "limits" -> Trees.json("{'memory': '%dMi'}".formatted(value.length()));
                case "memory", "cpu" -> Trees.json("'%d'".formatted(1_000_000 + value.length()));
                case "preferredDuringSchedulingIgnoredDuringExecution" ->
                    Trees.json("[{'weight': %d}]".formatted(value.length()));
                default -> Trees.json("'%s'".formatted(value));
            };
        }
    }

    private static JsonNode edited(JsonNode live, List<Edit> edits) {
        ObjectNode after = live.deepCopy();
        for (var edit : edits) {
            if (edit.pointer().endsWith("/0")) {
                after.withArray(edit.pointer().substring(0, edit.pointer().length() - 2))
                        .removeAll()
                        .add(edit.node());
            } else {
                Trees.set(after, edit.pointer(), edit.node());
            }
        }
        return after;
    }

    private static Change change(JsonNode before, JsonNode after, boolean dryRun) {
        return Change.of(
                ResourceType.JOB,
                Operation.UPDATE,
                new ObjectName("shop", "db-migrate"),
                before,
                after,
                new Requester("alice", "", List.of(), Map.of()),
                "kubectl-edit",
                "",
                dryRun);
    }

    private static Decision decide(Change change) {
        return switch (EditRule.decide(JobKind.JOB, change, REJECT, Map.of(), 0)) {
            case Answered<PlannedEffect>(var decision) -> decision;
            case Ask<PlannedEffect> ask -> throw new AssertionError("asked: " + ask);
        };
    }

    private static List<String> fields(Decision decision) {
        return decision.verdict() instanceof Deny(RefusedEdit guidance)
                ? guidance.refused().fields()
                : List.of();
    }

    private static List<FieldPath> paths(List<Difference> differences) {
        return differences.stream().map(Difference::path).toList();
    }

    @Provide
    Arbitrary<JsonNode> lives() {
        return Arbitraries.of("finished", "running", "neverStarted", "stopped", "stopping", "indexed")
                .map(Jobs::live);
    }

    @Provide
    Arbitrary<JsonNode> suspended() {
        return Arbitraries.of("neverStarted", "stopped").map(Jobs::live);
    }

    @Provide
    Arbitrary<JsonNode> active() {
        return Arbitraries.of("running", "stopping", "indexed", "finished").map(Jobs::live);
    }

    @Provide
    Arbitrary<List<Edit>> edits() {
        return Arbitraries.oneOf(edit(MUTABLE), edit(SCHEDULING), edit(RESOURCES), edit(FROZEN))
                .list()
                .ofMaxSize(5);
    }

    @Provide
    Arbitrary<List<Edit>> mutable() {
        return edit(MUTABLE).list().ofMinSize(1).ofMaxSize(4);
    }

    @Provide
    Arbitrary<List<Edit>> exempt() {
        return Arbitraries.oneOf(edit(SCHEDULING), edit(RESOURCES))
                .list()
                .ofMinSize(1)
                .ofMaxSize(5);
    }

    @Provide
    Arbitrary<Edit> frozen() {
        return edit(FROZEN);
    }

    @Provide
    Arbitrary<Integer> sizes() {
        return Arbitraries.integers().between(0, 6);
    }

    @Provide
    Arbitrary<String> optional() {
        return Arbitraries.of(
                "/spec/completions",
                "/spec/parallelism",
                "/spec/selector",
                "/spec/suspend",
                "/spec/completionMode",
                "/spec/template/spec/initContainers",
                "/spec/template/spec/securityContext",
                "/spec/template/spec/containers/0/resources",
                "/spec/template/metadata/annotations",
                "/status/startTime",
                "/status/conditions",
                "/status/active",
                "/metadata/annotations",
                "/metadata/ownerReferences",
                "/metadata/managedFields",
                "/metadata/deletionTimestamp");
    }

    private static Arbitrary<Edit> edit(List<String> pointers) {
        return Combinators.combine(
                        Arbitraries.of(pointers),
                        Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(12))
                .as(Edit::new);
    }
}
