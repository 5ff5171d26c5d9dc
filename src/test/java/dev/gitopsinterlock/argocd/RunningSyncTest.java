package dev.gitopsinterlock.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.argocd.RunningSync.Kind;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an Application tells of its sync, and which of them count. */
class RunningSyncTest {

    private static final Instant BEGUN = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant ASKED_FOR = Instant.parse("2026-11-21T11:59:00Z");
    private static final SyncScope SCOPE =
            new SyncScope(List.of("argocd", "team-*"), List.of("default", "infra"), Duration.ofHours(1), List.of());

    @Test
    void withoutOperationThereIsNone() {
        assertThat(RunningSync.of(application("", "'phase': 'Running', 'startedAt': '2026-11-21T12:00:00Z'")))
                .isEmpty();
        assertThat(RunningSync.of(application("'operation': null,", "'phase': 'Running'")))
                .isEmpty();
    }

    @Test
    void oneThatChangesNothingIsNone() {
        assertThat(RunningSync.of(application("'operation': {'sync': {'dryRun': true}},", "'phase': 'Running'")))
                .as("dry run")
                .isEmpty();
        assertThat(RunningSync.of(Trees.json("""
                        {'metadata': {'annotations': {'argocd.argoproj.io/skip-reconcile': 'true'}}, 'operation': {'sync': {}}}
                        """)))
                .as("left alone by its controller")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "running                    | 'phase': 'Running', 'startedAt': '2026-11-21T12:00:00Z'",
                "waiting for its next try   | 'phase': 'Running', 'startedAt': '2026-11-21T12:00:00Z', "
                        + "'finishedAt': '2026-11-21T12:01:00Z', 'retryCount': 1",
                "blocked by a sync window   | 'phase': 'Running', 'startedAt': '2026-11-21T12:00:00Z', "
                        + "'message': 'Sync operation blocked by sync window'",
                "being stopped              | 'phase': 'Terminating', 'startedAt': '2026-11-21T12:00:00Z'"
            })
    void oneThatRunsBeganWhenItsStateSays(String what, String state) {
        assertThat(sync("'operation': {'sync': {}},", state).begun()).as(what).hasValue(BEGUN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "first one            | ",
                "after another one    | 'phase': 'Succeeded', 'startedAt': '2026-11-20T12:00:00Z'"
            })
    void oneThatWaitsBeganWhenItWasAskedFor(String what, String state) {
        assertThat(sync("'operation': {'sync': {}},", state == null ? "" : state)
                        .begun())
                .as(what)
                .hasValue(ASKED_FOR);
    }

    @Test
    void whatTheRuleReadsIsRead() {
        var sync = RunningSync.of(Trees.json("""
                {'metadata': {'namespace': 'argocd', 'name': 'payments', 'annotations': {
                   'argocd.argoproj.io/skip-reconcile': 'false', 'gitops-interlock.dev/sync-hold': 'Disabled'}},
                 'spec': {'project': 'infra', 'destination': {'name': 'far-away'}},
                 'operation': {'sync': {'dryRun': false}}}
                """));

        assertThat(sync)
                .hasValue(new RunningSync(
                        Kind.APPLICATION,
                        "argocd",
                        "payments",
                        "infra",
                        Optional.of(SyncHold.DISABLED),
                        Optional.empty(),
                        new Destination("far-away", "")));
    }

    @Test
    void oneThatCounts() {
        assertThat(SCOPE.counts(plain(), BEGUN)).isTrue();
        assertThat(SCOPE.counts(plain(), BEGUN.plusSeconds(3599))).isTrue();
        assertThat(SCOPE.counts(in("team-a", "infra"), BEGUN)).isTrue();
    }

    @Test
    void onesThatDoNot() {
        assertThat(SCOPE.counts(plain(), BEGUN.plusSeconds(3600))).as("endless").isFalse();
        assertThat(SCOPE.counts(in("tenant", "default"), BEGUN)).as("namespace").isFalse();
        assertThat(SCOPE.counts(in("argocd-2", "default"), BEGUN))
                .as("namespace")
                .isFalse();
        assertThat(SCOPE.counts(in("argocd", "tenants"), BEGUN)).as("project").isFalse();
        assertThat(SCOPE.counts(
                        new RunningSync(
                                Kind.APPLICATION,
                                "argocd",
                                "a",
                                "default",
                                Optional.of(SyncHold.DISABLED),
                                Optional.of(BEGUN)),
                        BEGUN))
                .as("opted out")
                .isFalse();
    }

    /** Idle ones are over sooner, and there is no Namespace of Flux's. */
    @Test
    void aKustomizationCountsOnceItHasBeenReconcilingForTenSeconds() {
        var sync = RunningSync.ofKustomization("anywhere", "shop", Optional.empty(), BEGUN);

        assertThat(SCOPE.counts(sync, BEGUN.plusSeconds(9))).isFalse();
        assertThat(SCOPE.counts(sync, BEGUN.plusSeconds(10))).isTrue();
        assertThat(SCOPE.counts(sync, BEGUN.plusSeconds(3599))).isTrue();
        assertThat(SCOPE.counts(sync, BEGUN.plusSeconds(3600))).as("endless").isFalse();
        assertThat(SCOPE.counts(
                        RunningSync.ofKustomization("anywhere", "shop", Optional.of(SyncHold.DISABLED), BEGUN),
                        BEGUN.plusSeconds(10)))
                .as("opted out")
                .isFalse();
    }

    @Test
    void aNameIsNoPattern() {
        var scope = new SyncScope(List.of("a.b"), List.of("*"), Duration.ofHours(1), List.of());

        assertThat(scope.counts(in("a.b", "default"), BEGUN)).isTrue();
        assertThat(scope.counts(in("axb", "default"), BEGUN)).isFalse();
    }

    private static RunningSync plain() {
        return in("argocd", "default");
    }

    private static RunningSync in(String namespace, String project) {
        return new RunningSync(Kind.APPLICATION, namespace, "a", project, Optional.empty(), Optional.of(BEGUN));
    }

    private static RunningSync sync(String operation, String state) {
        return RunningSync.of(application(operation, state)).orElseThrow();
    }

    private static JsonNode application(String operation, String state) {
        return Trees.json("""
                {'metadata': {'namespace': 'argocd', 'name': 'payments', 'managedFields': [
                   {'time': '2026-11-19T08:00:00Z', 'fieldsV1': {'f:spec': {}}},
                   {'time': '2026-11-21T11:59:00Z', 'fieldsV1': {'f:operation': {}}}]},
                 'spec': {'project': 'default'}, %s 'status': {'operationState': {%s}}}
                """.formatted(operation, state));
    }
}
