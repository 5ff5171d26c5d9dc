package dev.gitopsinterlock.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.argocd.RunningSync.Kind;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an ApplicationSet tells of its progressive sync, and when that counts. */
class ProgressiveSyncTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final SyncScope SCOPE =
            new SyncScope(List.of("argocd"), List.of("shop"), Duration.ofHours(1), List.of());

    /** As Argo CD 3.6 writes it at the second step. */
    private static ObjectNode applicationSet() {
        return (ObjectNode) Trees.json("""
                {'metadata': {'namespace': 'argocd', 'name': 'payments'},
                 'spec': {'template': {'spec': {'project': 'shop'}}},
                 'status': {'conditions': [
                   {'type': 'ResourcesUpToDate', 'status': 'True', 'lastTransitionTime': '2026-11-21T11:00:00Z'},
                   {'type': 'RolloutProgressing', 'status': 'True', 'reason': 'ApplicationSetModified',
                    'message': 'ApplicationSet is performing rollout of step 2', 'lastTransitionTime': '2026-11-21T11:30:00Z'}]}}
                """);
    }

    @Test
    void itIsASyncOfItsOwn() {
        assertThat(ProgressiveSync.of(applicationSet()))
                .hasValue(new RunningSync(
                        Kind.APPLICATION,
                        "argocd",
                        "payments (ApplicationSet)",
                        "shop",
                        Optional.empty(),
                        Optional.of(Instant.parse("2026-11-21T11:30:00Z"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "between two steps          | true  | {}",
                "only observed              | true  | {'/metadata/annotations': {'gitops-interlock.dev/sync-hold': 'Observe'}}",
                "opted out                  | false | {'/metadata/annotations': {'gitops-interlock.dev/sync-hold': 'Disabled'}}",
                "through with its steps     | false | {'/status/conditions/1/status': 'False'}",
                "not reconciled yet         | false | {'/status': null}",
                "in no step, all at once    | false | {'/status/conditions/1': null}",
                "in another Namespace       | false | {'/metadata/namespace': 'tenant'}",
                "of another project         | false | {'/spec/template/spec/project': 'till'}",
                "of a project of each alone | false | {'/spec/template/spec/project': '{{.project}}'}",
                "in a step for too long     | false | {'/status/conditions/1/lastTransitionTime': '2026-11-21T11:00:00Z'}",
                "since nobody knows when    | true  | {'/status/conditions/1/lastTransitionTime': null}"
            })
    void countsOrNot(String what, boolean counts, String change) {
        var applicationSet = applicationSet();
        Trees.change(applicationSet, Trees.json(change));

        assertThat(ProgressiveSync.of(applicationSet)
                        .filter(sync -> SCOPE.counts(sync, NOON))
                        .isPresent())
                .as(what)
                .isEqualTo(counts);
    }
}
