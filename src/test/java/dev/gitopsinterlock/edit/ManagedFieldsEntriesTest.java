package dev.gitopsinterlock.edit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.api.Test;

class ManagedFieldsEntriesTest {

    private static final String CONTROLLER = """
            {'manager': 'kube-controller-manager', 'operation': 'Update', 'subresource': 'status',
             'fieldsV1': {'f:status': {}}}""";

    @Test
    void whoAppliesTheJobOwnsItAlone() {
        var owners = Trees.json("""
                [{'manager': 'helm', 'operation': 'Apply', 'fieldsV1': {'f:spec': {}}},
                 {'manager': 'gitops-interlock', 'operation': 'Update', 'fieldsV1': {'f:spec': {}}}, %s]""".formatted(CONTROLLER));

        assertThat(ManagedFieldsEntries.withoutOurs(owners, true))
                .hasValueSatisfying(rest -> assertThat(rest.findValuesAsText("manager"))
                        .containsExactly("helm", "kube-controller-manager"));
    }

    @Test
    void whoCreatedTheJobDoesNotOwnOurAnnotation() {
        var owners = Trees.json("""
                [{'manager': 'kubectl-client-side-apply', 'operation': 'Update', 'fieldsV1':
                  {'f:metadata': {'f:annotations': {'.': {}, 'f:a': {}, 'f:gitops-interlock.dev/replaced': {}}},
                   'f:spec': {}}}]""");

        assertThat(fields(owners)).isEqualTo(Trees.json("""
                {'f:metadata': {'f:annotations': {'.': {}, 'f:a': {}}}, 'f:spec': {}}"""));
    }

    @Test
    void mapsThatHeldNothingElseGoWithIt() {
        var owners = Trees.json("""
                [{'manager': 'kubectl-create', 'operation': 'Update', 'fieldsV1':
                  {'f:metadata': {'f:annotations': {'.': {}, 'f:gitops-interlock.dev/replaced': {}}},
                   'f:spec': {}}}]""");

        assertThat(fields(owners)).isEqualTo(Trees.json("{'f:spec': {}}"));
    }

    @Test
    void withoutATraceOfOursThereIsNothingToDo() {
        assertThat(ManagedFieldsEntries.withoutOurs(Trees.json("[%s]".formatted(CONTROLLER)), true))
                .isEmpty();
        assertThat(ManagedFieldsEntries.withoutOurs(Trees.json("[]"), true)).isEmpty();
    }

    /** To the API server an empty list means that all owners are to be forgotten. */
    @Test
    void theLastEntryStays() {
        var owners = Trees.json("[{'manager': 'gitops-interlock', 'operation': 'Update', 'fieldsV1': {}}]");

        assertThat(ManagedFieldsEntries.withoutOurs(owners, true)).isEmpty();
    }

    private static JsonNode fields(JsonNode owners) {
        return ManagedFieldsEntries.withoutOurs(owners, false)
                .orElseThrow()
                .get(0)
                .path("fieldsV1");
    }
}
