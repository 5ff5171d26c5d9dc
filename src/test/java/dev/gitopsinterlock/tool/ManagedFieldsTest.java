package dev.gitopsinterlock.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tool.FieldManager.Method;
import org.junit.jupiter.api.Test;

class ManagedFieldsTest {

    private static final String CREATOR = "{'manager': 'helm', 'operation': 'Update', 'time': '1'}";
    private static final String STATUS =
            "{'manager': 'kube-controller-manager', 'operation': 'Update', 'time': '%s', 'subresource': 'status'}";

    @Test
    void managerIsTheOneWhoseEntryIsNew() {
        var manager = ManagedFields.manager(
                job(CREATOR), job(CREATOR, "{'manager': 'kubectl-edit', 'operation': 'Update', 'time': '2'}"), "");

        assertThat(manager).isEqualTo(new FieldManager("kubectl-edit", Method.UPDATE));
    }

    @Test
    void managerIsTheOneWhoseEntryHasANewTime() {
        var manager =
                ManagedFields.manager(job(CREATOR), job("{'manager': 'helm', 'operation': 'Apply', 'time': '2'}"), "");

        assertThat(manager).isEqualTo(new FieldManager("helm", Method.APPLY));
    }

    @Test
    void entriesOfSubresourcesAreNoWriters() {
        var manager = ManagedFields.manager(
                job(STATUS.formatted("1"), CREATOR),
                job(STATUS.formatted("2"), "{'manager': 'argocd-controller', 'operation': 'Apply', 'time': '2'}"),
                "");

        assertThat(manager).isEqualTo(new FieldManager("argocd-controller", Method.APPLY));
    }

    @Test
    void fieldManagerChoosesAmongChangedEntries() {
        var manager = ManagedFields.manager(
                job(CREATOR),
                job(
                        "{'manager': 'helm', 'operation': 'Update', 'time': '2'}",
                        "{'manager': 'kubectl', 'operation': 'Apply', 'time': '2'}"),
                "kubectl");

        assertThat(manager).isEqualTo(new FieldManager("kubectl", Method.APPLY));
    }

    @Test
    void fieldManagerWithoutAnEntryIsBelieved() {
        assertThat(ManagedFields.manager(job(CREATOR), job(CREATOR), "kubectl-replace"))
                .isEqualTo(new FieldManager("kubectl-replace", Method.UNKNOWN));
    }

    @Test
    void whoWritesTwiceWithinASecondIsKnownByItsOnlyMethod() {
        var applied = "{'manager': 'helm', 'operation': 'Apply', 'time': '1'}";

        assertThat(ManagedFields.manager(job(applied), job(applied), "helm"))
                .isEqualTo(new FieldManager("helm", Method.APPLY));
        assertThat(ManagedFields.manager(job(CREATOR), job(CREATOR), "helm"))
                .isEqualTo(new FieldManager("helm", Method.UPDATE));
        assertThat(ManagedFields.manager(job(CREATOR, applied), job(CREATOR, applied), "helm"))
                .isEqualTo(new FieldManager("helm", Method.UNKNOWN));
    }

    @Test
    void nobodyWroteWhereNothingChanged() {
        assertThat(ManagedFields.manager(job(CREATOR), job(CREATOR), "")).isEqualTo(FieldManager.UNKNOWN);
    }

    @Test
    void everyEntryOfACreateIsNew() {
        assertThat(ManagedFields.manager(MissingNode.getInstance(), job(CREATOR), ""))
                .isEqualTo(new FieldManager("helm", Method.UPDATE));
    }

    private static JsonNode job(String... entries) {
        return Trees.json("{'metadata': {'managedFields': [%s]}}".formatted(String.join(",", entries)));
    }
}
