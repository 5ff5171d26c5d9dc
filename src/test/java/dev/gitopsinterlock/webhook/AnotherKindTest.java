package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.SchemaCheck;
import dev.gitopsinterlock.check.Appliers;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.check.ManifestCheck;
import dev.gitopsinterlock.check.ObjectScan;
import dev.gitopsinterlock.check.Pair;
import dev.gitopsinterlock.check.Severity;
import dev.gitopsinterlock.cli.yaml.MalformedYaml;
import dev.gitopsinterlock.cli.yaml.Manifests;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.edit.EditRoute;
import dev.gitopsinterlock.edit.EditRoute.CreateRule;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.GuardedKind.Phrase;
import dev.gitopsinterlock.edit.Judgement;
import dev.gitopsinterlock.edit.Kinds;
import dev.gitopsinterlock.edit.ManifestRules;
import dev.gitopsinterlock.edit.NextChange;
import dev.gitopsinterlock.effect.Outcome.Done;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.immutability.Defaults;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.Difference.Kind;
import dev.gitopsinterlock.immutability.FieldSemantics;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.FieldTable.Row;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.immutability.PathPattern;
import dev.gitopsinterlock.immutability.StoredForm;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.policy.ReplacementScope.Why;
import dev.gitopsinterlock.testing.review.JobRoutes;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A kind that exists nowhere: data is all that webhook, {@code check} and {@code scan} need to explain its edits. */
class AnotherKindTest {

    private enum Change {
        NEVER,
        ONCE;

        Mutability of(Difference difference) {
            return this == ONCE && difference.kind() == Kind.ADDED ? Mutability.ACCEPTED : Mutability.REFUSED;
        }
    }

    private static final FieldTable<Change> TABLE =
            new FieldTable<>(List.of(row("spec.color", Change.NEVER), row("spec.size", Change.ONCE)), List.of());

    private static final GuardedKind WIDGET = new GuardedKind(
            new ResourceType("example.com", "v1", "Widget", "widgets"),
            true,
            new SchemaCheck(List.of(SchemaCheck.part("/spec", JsonNode::isObject)), List.of()),
            TABLE,
            (before, after) -> difference ->
                    TABLE.mutability(difference, row -> row.exemption().of(difference)),
            new FieldSemantics(Set.of(), Set.of(), List.of(), List.of(), List.of(), Set.of("size"), Set.of(), Map.of()),
            (change, refused) -> new GuidanceCode("SelectorEdit"),
            List.of(new Phrase(PathPattern.parse("spec.color"), "colors stay", 37)),
            GuardedKind.Repair.NONE,
            GuardedKind.ServerDrops.NONE,
            false,
            Optional.empty(),
            new WidgetManifests());

    private static final Kinds KINDS = new Kinds(List.of(WIDGET));

    /** Red is the default; its controller may have given a size to one that has none. */
    private record WidgetManifests() implements ManifestRules {

        @Override
        public ObjectNode stored(JsonNode manifest) {
            return new StoredForm(
                            List.of("spec"),
                            WIDGET.semantics(),
                            Defaults.of(Stream.of(Defaults.absent("spec.color", TextNode.valueOf("red")))))
                    .of(manifest);
        }

        @Override
        public List<State> states(JsonNode manifest, Optional<KubernetesVersion> version) {
            return List.of(
                    new State((before, after) -> difference -> Mutability.REFUSED, ""),
                    new State(WIDGET.judgement(), "the widget has no size yet"));
        }

        @Override
        public Judgement judgement(Optional<KubernetesVersion> version) {
            return WIDGET.judgement();
        }

        @Override
        public Optional<NextChange> nextChange() {
            return Optional.of(new NextChange("its color changes", live -> {
                ObjectNode after = live.deepCopy();
                after.withObject("/spec").put("color", "another");
                return Optional.of(after);
            }));
        }
    }

    private static Row<Change> row(String field, Change when) {
        return new Row<>(PathPattern.parse(field), when);
    }

    @Test
    void whatMayChangeIsAllowed() {
        var answer =
                review(OnImmutableChange.REJECT, "{'color': 'red'}", "{'color': 'red', 'size': '1Gi', 'speed': 2}");

        assertThat(answer.at("/response/allowed").asBoolean()).isTrue();
    }

    @Test
    void whatMayNotIsDeniedInTheOrderOfTheTableAndInTheServersWords() {
        var response = review(
                        OnImmutableChange.REJECT, "{'size': '1Gi', 'color': 'red'}", "{'size': '2Gi', 'color': 'blue'}")
                .path("response");

        assertThat(response.path("allowed").asBoolean(true)).isFalse();
        assertThat(response.at("/status/message").asText())
                .contains("kubectl -n shop delete widget w", "apply again")
                .contains("Widget shop/w was not changed, colors stay and field is immutable: spec.color, spec.size");
        assertThat(response.at("/auditAnnotations/guidance").asText()).isEqualTo("SelectorEdit");
    }

    @Test
    void whatCannotBeReplacedIsDeniedUnderReplaceAndOnlyExplainedUnderWarn() {
        var before = "{'color': 'red'}";
        var after = "{'color': 'blue'}";

        assertThat(review(OnImmutableChange.REPLACE, before, after)
                        .at("/response/allowed")
                        .asBoolean(true))
                .isFalse();
        var warned = review(OnImmutableChange.WARN, before, after).path("response");
        assertThat(warned.path("allowed").asBoolean()).isTrue();
        assertThat(warned.at("/warnings/0").asText()).contains("cannot be changed in place");
    }

    @Test
    void whatIsNoObjectIsLetThrough() {
        assertThat(review(OnImmutableChange.REJECT, "{'color': 'red'}", "'text'")
                        .at("/response/allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void checkFindsWhatMayNotChangeByManifestsAlone() throws MalformedYaml {
        assertThat(checked("{color: red}", "{color: blue}"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.ERROR))
                .satisfies(finding -> assertThat(finding.message())
                        .isEqualTo(
                                "Kubernetes will refuse this change of Widget shop/w, field is immutable: spec.color"));
        assertThat(checked("{}", "{color: red}")).as("the default").isEmpty();
    }

    @Test
    void checkSaysWhatNoManifestTells() throws MalformedYaml {
        assertThat(checked("{color: red}", "{color: red, size: 1Gi}"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING))
                .satisfies(finding -> assertThat(finding.message())
                        .contains("unless the widget has no size yet (no manifest tells)"));
    }

    @Test
    void checkKnowsTheLiveOne() throws MalformedYaml {
        var target = manifests("{color: red, size: 2Gi}").getFirst();

        assertThat(check().ofLive(
                                target,
                                Optional.of(manifests("{color: red}").getFirst().object()),
                                MissingNode.getInstance())
                        .open())
                .isEmpty();
    }

    @Test
    void scanKnowsItsNextChange() throws MalformedYaml {
        var live = manifests("{color: red}").getFirst().object();

        assertThat(new ObjectScan(PackagedPages.withoutAddress()).of(WIDGET, live))
                .hasValueSatisfying(scanned -> assertThat(scanned.refusal())
                        .hasValueSatisfying(
                                refusal -> assertThat(refusal.what()).isEqualTo("its color changes")));
    }

    private static ManifestCheck check() {
        return new ManifestCheck(
                KINDS, Appliers.named(Optional.empty(), ""), Optional.empty(), PackagedPages.withoutAddress());
    }

    private static List<Finding> checked(String before, String after) throws MalformedYaml {
        return check().of(new Pair(
                        Optional.of(manifests(before).getFirst()),
                        manifests(after).getFirst()))
                .open();
    }

    private static List<Manifest> manifests(String spec) throws MalformedYaml {
        return new Manifests(KINDS)
                .in(
                        "file.yaml",
                        "",
                        "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: shop}\nspec: "
                                + spec);
    }

    private static JsonNode review(OnImmutableChange policy, String before, String after) {
        var levels = new Policy.Levels(
                Policy.Values.DEFAULT.with(policy), true, new ReplacementScope.Off(Why.SWITCHED_OFF), Set.of());
        var route = new EditRoute(
                "mutate/widgets",
                new Kinds(List.of(WIDGET)),
                levels,
                JobRoutes.known(Map.of()),
                (caller, effect, patience) -> new Done(),
                () -> 36,
                CreateRule.NONE);
        return Reviewed.by(route, Trees.json("""
                {'apiVersion': 'admission.k8s.io/v1', 'kind': 'AdmissionReview', 'request': {
                  'uid': 'u', 'kind': {'group': 'example.com', 'version': 'v1', 'kind': 'Widget'}, 'name': 'w',
                  'namespace': 'shop', 'operation': 'UPDATE', 'userInfo': {'username': 'carol'},
                  'oldObject': {'metadata': {'name': 'w', 'namespace': 'shop'}, 'spec': %s},
                  'object': {'metadata': {'name': 'w', 'namespace': 'shop'}, 'spec': %s}}}
                """.formatted(before, after))).answer();
    }
}
