package dev.gitopsinterlock.flux;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which Kustomizations bring a revision to the cluster for the first time, by statuses that kustomize-controller 1.9.5 wrote. */
class ReconciliationTest {

    private static final Instant BEGUN = Instant.parse("2026-11-26T07:02:45Z");

    /** A commit changed the Job of a Kustomization with {@code wait: true}. */
    private static final String MIGRATION = """
            metadata: {namespace: apps, name: shop, generation: 1, creationTimestamp: '2026-11-26T06:56:47Z'}
            spec: {wait: true}
            status:
              observedGeneration: 1
              lastAppliedRevision: main@sha1:1
              lastAttemptedRevision: main@sha1:2
              conditions:
              - {type: Reconciling, status: 'True', reason: Progressing, lastTransitionTime: '2026-11-26T07:02:46Z',
                 message: 'Running health checks for revision main@sha1:2 with a timeout of 3m0s'}
              - {type: Ready, status: Unknown, reason: Progressing, lastTransitionTime: '2026-11-26T07:02:45Z',
                 message: Reconciliation in progress}
              - {type: Healthy, status: Unknown, reason: Progressing, lastTransitionTime: '2026-11-26T07:02:46Z'}
              history:
              - {digest: 'sha256:a', lastReconciledStatus: ReconciliationSucceeded, metadata: {revision: main@sha1:1}}
            """;

    @Test
    void aNewRevisionIsOnItsWay() {
        assertThat(Reconciliation.of(changed("")))
                .hasValue(RunningSync.ofKustomization("apps", "shop", Optional.empty(), BEGUN));
    }

    @Test
    void itsAnnotationIsRead() {
        assertThat(Reconciliation.of(changed("/metadata/annotations: {gitops-interlock.dev/sync-hold: Observe}"))
                        .flatMap(RunningSync::syncHold))
                .hasValue(SyncHold.OBSERVE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "idle                      | /status/lastAppliedRevision: main@sha1:2, "
                        + "/status/history/0/metadata/revision: main@sha1:2",
                "next try of what failed   | /status/history/0/metadata/revision: main@sha1:2, "
                        + "/status/history/0/lastReconciledStatus: HealthCheckFailed",
                "between two tries         | /status/conditions/1/status: 'False', "
                        + "/status/conditions/1/reason: HealthCheckFailed, "
                        + "/status/conditions/0/reason: ProgressingWithRetry",
                "nothing fetched yet       | /status/lastAttemptedRevision: null",
                "ready                     | /status/conditions/1/status: 'True'",
                "suspended                 | /spec/suspend: true",
                "without a status          | /status: null",
                "of a Flux without history | /status/history: null",
                "never applied, for long   | /status/history: null, /status/lastAppliedRevision: null, "
                        + "/metadata/creationTimestamp: '2026-11-26T06:02:45Z'"
            })
    void nothingNewIs(String what, String changes) {
        assertThat(Reconciliation.of(changed(changes))).as(what).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "the first revision ever          | /status/history: null, /status/lastAppliedRevision: null",
                "back to a revision of the past   | /status/history/0/metadata/revision: main@sha1:3"
            })
    void theseAreToo(String what, String changes) {
        assertThat(Reconciliation.of(changed(changes))).as(what).isPresent();
    }

    private static ObjectNode changed(String changes) {
        ObjectNode kustomization = Trees.fromYaml(MIGRATION).deepCopy();
        if (!changes.isEmpty()) {
            Trees.change(kustomization, Trees.fromYaml("{" + changes + "}"));
        }
        return kustomization;
    }
}
