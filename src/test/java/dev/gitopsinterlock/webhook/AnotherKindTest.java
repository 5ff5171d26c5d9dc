package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Asking;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ParseResult.Parsed;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.Reason;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.SchemaCheck;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.immutability.Comparison;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldSemantics;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.FieldTable.Row;
import dev.gitopsinterlock.immutability.PathPattern;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A kind beside Jobs, with a table of its own: StatefulSets, as far as four of their fields go. The recipe in
 * docs/architecture.md is this; nothing of the pipeline or of the engine knows about it.
 */
class AnotherKindTest {

    enum Fixed {
        ALWAYS
    }

    private static final FieldTable<Fixed> TABLE = new FieldTable<>(
            List.of(row("spec.selector"), row("spec.serviceName"), row("spec.volumeClaimTemplates")), List.of());

    private static final FieldSemantics SEMANTICS = new FieldSemantics(
            Set.of("matchLabels"),
            Set.of(),
            List.of(),
            List.of(),
            List.of(PathPattern.parse("spec.serviceName")),
            Set.of("requests"),
            Set.of(),
            Map.of());

    private static Row<Fixed> row(String field) {
        return new Row<>(PathPattern.parse(field), Fixed.ALWAYS);
    }

    /** The facts of a request. */
    private record SetChange(String name, JsonNode before, JsonNode after) {}

    private enum SetReason implements Reason {
        NO_IMMUTABLE_CHANGE,
        UNSURE
    }

    private record SetDenial(String name, List<String> fields) implements Denial {

        @Override
        public Status status(GuidancePages pages) {
            return new Status(422, "Invalid", message(), Optional.empty());
        }

        private String message() {
            return "Delete StatefulSet %s with --cascade=orphan, then sync again. Kubernetes does not change %s."
                    .formatted(name, String.join(", ", fields));
        }

        @Override
        public String token() {
            return "immutable_stateful_set";
        }

        @Override
        public Map<String, String> labels() {
            return Map.of();
        }

        @Override
        public Map<String, String> auditAnnotations() {
            return Map.of("guidance", "StatefulSetEdit");
        }

        @Override
        public List<Fact> facts() {
            return List.of(new Fact("statefulset", name));
        }

        @Override
        public boolean isRepeated() {
            return false;
        }
    }

    private record SetRoute() implements Route<SetChange, Void> {

        private static final SchemaCheck SHAPE =
                new SchemaCheck(List.of(SchemaCheck.part("/spec", JsonNode::isObject)), List.of());

        @Override
        public String path() {
            return "validate/statefulsets";
        }

        @Override
        public Set<String> kinds() {
            return Set.of("apps/v1/StatefulSet");
        }

        @Override
        public ParseResult<SetChange> read(JsonNode request) {
            return SchemaCheck.fault(request, SHAPE)
                    .<ParseResult<SetChange>>map(Unsupported::new)
                    .orElseGet(() -> new Parsed<>(new SetChange(
                            request.path("name").asText(), request.path("oldObject"), request.path("object"))));
        }

        @Override
        public Step<Void> decide(SetChange change, Asking asking) {
            return Step.answered(Comparison.between(
                            SEMANTICS,
                            FieldPath.of("spec"),
                            change.before().path("spec"),
                            change.after().path("spec"))
                    .map(differences -> judge(change, differences))
                    .orElseGet(() -> Decision.allow(SetReason.UNSURE)));
        }

        private static Decision judge(SetChange change, List<Difference> differences) {
            var refused = differences.stream()
                    .filter(difference -> !TABLE.exemptions(difference.path()).isEmpty())
                    .sorted(TABLE.inApiOrder())
                    .map(difference -> difference.path().toString())
                    .toList();
            return refused.isEmpty()
                    ? Decision.allow(SetReason.NO_IMMUTABLE_CHANGE)
                    : Decision.deny(new SetDenial(change.name(), refused));
        }

        @Override
        public List<Fact> about(SetChange change) {
            return List.of(new Fact("statefulset", change.name()));
        }
    }

    private static final String LIVE = """
            {'replicas': 1, 'serviceName': 'db', 'selector': {'matchLabels': {'app': 'db'}}, 'template': {},
             'volumeClaimTemplates': [{'metadata': {'name': 'data'}, 'spec': {'resources': {'requests': {'storage': '1Gi'}}}}]}
            """;

    @Test
    void whatMayChangeIsAllowed() {
        var scaled = LIVE.replace("'replicas': 1", "'replicas': 3").replace("1Gi", "1024Mi");

        assertThat(review(scaled).at("/response/allowed").asBoolean()).isTrue();
    }

    @Test
    void whatMayNotIsDeniedWithItsFieldsInTheOrderOfTheTable() {
        var edited = LIVE.replace("1Gi", "2Gi").replace("'serviceName': 'db'", "'serviceName': 'other'");
        var response = review(edited).path("response");

        assertThat(response.path("allowed").asBoolean(true)).isFalse();
        assertThat(response.at("/status/message").asText())
                .isEqualTo("Delete StatefulSet db with --cascade=orphan, then sync again. Kubernetes does not change "
                        + "spec.serviceName, spec.volumeClaimTemplates[0].spec.resources.requests.storage.");
        assertThat(response.at("/auditAnnotations/guidance").asText()).isEqualTo("StatefulSetEdit");
    }

    @Test
    void whatIsNoStatefulSetIsLetThrough() {
        assertThat(review("'text'").at("/response/allowed").asBoolean()).isTrue();
    }

    private static JsonNode review(String spec) {
        var review = Trees.json("""
                {'apiVersion': 'admission.k8s.io/v1', 'kind': 'AdmissionReview', 'request': {
                  'uid': 'u', 'kind': {'group': 'apps', 'version': 'v1', 'kind': 'StatefulSet'}, 'name': 'db',
                  'operation': 'UPDATE', 'userInfo': {'username': 'carol'},
                  'oldObject': {'metadata': {'name': 'db'}, 'spec': %s}, 'object': {'metadata': {'name': 'db'}, 'spec': %s}}}
                """.formatted(LIVE, spec));
        return Reviewed.by(new SetRoute(), review).answer();
    }
}
