package dev.gitopsinterlock.upgradeplan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.gate.KnownObjects;
import dev.gitopsinterlock.gate.ObjectChange;
import dev.gitopsinterlock.gate.Progress;
import dev.gitopsinterlock.gate.Rollout;
import dev.gitopsinterlock.gate.RolloutReason;
import dev.gitopsinterlock.gate.RolloutStart;
import dev.gitopsinterlock.gate.RolloutStart.Begins;
import dev.gitopsinterlock.gate.RolloutStart.NoRollout;
import dev.gitopsinterlock.gate.RolloutStart.Unassigned;
import dev.gitopsinterlock.gate.WatchedKind;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UpgradeControllerTest {

    private static final String USER = "system:serviceaccount:system-upgrade:system-upgrade";
    private static final Instant BEGUN = Instant.parse("2026-11-26T12:00:00Z");
    private static final JsonNode NONE = MissingNode.getInstance();

    private static final String APPLYING = """
            {'latestVersion': 'v1.36.2', 'applying': ['worker-0'], 'conditions': [
              {'type': 'LatestResolved', 'status': 'True', 'lastUpdateTime': '2026-11-26T11:00:00Z'},
              {'type': 'Complete', 'status': 'False', 'reason': 'SyncJob', 'lastUpdateTime': '2026-11-26T12:00:00Z'}]}""";

    private static final String COMPLETE = """
            {'latestVersion': 'v1.36.2', 'conditions': [
              {'type': 'Complete', 'status': 'True', 'lastUpdateTime': '2026-11-26T12:00:00Z'}]}""";

    @Test
    void aJobThatBeginsToRunBeginsARollout() {
        for (var before : List.of(NONE, job(0))) {
            var rollout = begun(startedBy(before, job(1), USER, APPLYING));

            assertThat(rollout.node()).isEqualTo("worker-0");
            assertThat(rollout.target()).isEqualTo("v1.36.2");
            assertThat(rollout.scope().object().toString()).contains("Plan", "system-upgrade", "agent", "uid-1");
            assertThat(rollout.scope().override())
                    .isEqualTo("kubectl -n system-upgrade annotate --overwrite plans.upgrade.cattle.io agent "
                            + "gitops-interlock.dev.cattle.io/sync-hold=Disabled");
            assertThat(rollout.evidence().seenSince()).contains(BEGUN);
            assertThat(rollout.evidence().isConfirmed()).isTrue();
            assertThat(rollout.evidence().revision())
                    .contains("/apis/upgrade.cattle.io/v1/namespaces/system-upgrade/plans/agent");
        }
    }

    @Test
    void noOtherChangeDoes() {
        assertThat(reason(startedBy(NONE, job(0), USER, APPLYING))).isEqualTo(RolloutReason.NO_ROLLOUT);
        assertThat(reason(startedBy(job(1), job(1), USER, APPLYING))).isEqualTo(RolloutReason.NO_ROLLOUT);
        assertThat(reason(startedBy(job(1), job(0), USER, APPLYING))).isEqualTo(RolloutReason.NO_ROLLOUT);
        assertThat(reason(startedBy(NONE, Trees.json("{'metadata': {'name': 'any'}, 'spec': {}}"), USER, APPLYING)))
                .isEqualTo(RolloutReason.NO_ROLLOUT);
        assertThat(reason(startedBy(NONE, job(1), "kubernetes-admin", APPLYING)))
                .isEqualTo(RolloutReason.SKIPPED);
    }

    @Test
    void whatIsNotKnownIsNotPlaced() {
        var change = change(NONE, job(1), USER);

        assertThat(controller(Optional.empty()).startedBy(change))
                .isEqualTo(new Unassigned(RolloutReason.UNKNOWN_PLANS));
        assertThat(controller(Optional.of(List.of())).startedBy(change))
                .isEqualTo(new Unassigned(RolloutReason.NO_PLAN));
    }

    /** A watch can be behind what the controller has written. */
    @Test
    void aPlanThatIsNotThereYetSaysNothingOfTheBeginning() {
        for (var status : List.of(
                "{}", COMPLETE, APPLYING.replace("v1.36.2", "v1.36.1"), APPLYING.replace("['worker-0']", "[]"))) {
            assertThat(begun(startedBy(NONE, job(1), USER, status)).evidence().seenSince())
                    .as(status)
                    .isEmpty();
        }
    }

    @Test
    void thePlanSaysHowItIsTreated() {
        for (var key : List.of("gitops-interlock.dev/sync-hold", "gitops-interlock.dev.cattle.io/sync-hold")) {
            var plan = plan(APPLYING, "{'%s': 'Observe'}".formatted(key));

            assertThat(begun(controller(plan).startedBy(change(NONE, job(1), USER)))
                            .terms()
                            .syncHold())
                    .isEqualTo(SyncHold.OBSERVE);
        }
    }

    @Test
    void itsProgressIsThePlans() {
        var rollout = begun(startedBy(NONE, job(1), USER, APPLYING));
        var later = BEGUN.plusSeconds(31);

        assertThat(progress(rollout, APPLYING, BEGUN)).isEqualTo(new Progress.UnderWay(rollout));
        assertThat(progress(rollout, APPLYING.replace("v1.36.2", "v1.36.1"), BEGUN))
                .as("the watch may be behind")
                .isInstanceOf(Progress.UnderWay.class);
        assertThat(progress(rollout, APPLYING.replace("v1.36.2", "v1.36.3"), later))
                .isEqualTo(new Progress.Superseded());
        assertThat(progress(rollout, COMPLETE, BEGUN)).isInstanceOf(Progress.UnderWay.class);
        assertThat(progress(rollout, COMPLETE, later)).isInstanceOf(Progress.RolledOut.class);
        assertThat(controller(Optional.empty()).progressOf(rollout, BEGUN, later))
                .isEqualTo(new Progress.Unknown());
        assertThat(controller(Optional.of(List.of())).progressOf(rollout, BEGUN, later))
                .isEqualTo(new Progress.Removed());
    }

    @Test
    void theLogGetsNoLinesOfOthers() {
        var after = Trees.json("{'metadata': {'labels': {'upgrade.cattle.io/version': 'a\\nb'}}}");

        assertThat(controller(plan(APPLYING, "{}")).targetOf(change(NONE, after, USER)))
                .isEqualTo("unprintable");
    }

    private static Progress progress(Rollout rollout, String status, Instant now) {
        return controller(plan(status, "{}")).progressOf(rollout, BEGUN, now);
    }

    private static RolloutStart startedBy(JsonNode before, JsonNode after, String user, String status) {
        return controller(plan(status, "{}")).startedBy(change(before, after, user));
    }

    private static UpgradeController controller(UpgradePlan plan) {
        return controller(Optional.of(List.of(plan)));
    }

    private static Rollout begun(RolloutStart beginning) {
        assertThat(beginning).isInstanceOf(Begins.class);
        return ((Begins) beginning).rollout();
    }

    private static RolloutReason reason(RolloutStart beginning) {
        assertThat(beginning).isInstanceOf(NoRollout.class);
        return ((NoRollout) beginning).reason();
    }

    private static ObjectChange change(JsonNode before, JsonNode after, String user) {
        return new ObjectChange("batch/v1/Job", "apply-agent-on-worker-0", before, after, user, false);
    }

    private static UpgradePlan plan(String status, String annotations) {
        return UpgradePlan.of(Trees.json("""
                {'metadata': {'namespace': 'system-upgrade', 'name': 'agent', 'uid': 'uid-1', 'annotations': %s}, 'status': %s}""".formatted(annotations, status)));
    }

    private static JsonNode job(int parallelism) {
        return Trees.json("""
                {'metadata': {'name': 'apply-agent-on-worker-0', 'namespace': 'system-upgrade', 'labels': {
                  'upgrade.cattle.io/plan': 'agent', 'upgrade.cattle.io/version': 'v1.36.2',
                  'upgrade.cattle.io/node': 'worker-0'}},
                 'spec': {'parallelism': %d}}""".formatted(parallelism));
    }

    private static UpgradeController controller(Optional<List<UpgradePlan>> plans) {
        return new UpgradeController(USER, new KnownObjects() {
            @Override
            @SuppressWarnings("unchecked") // nothing else is asked for
            public <T> Optional<List<T>> of(WatchedKind<T> kind) {
                return (Optional<List<T>>) (Optional<?>) plans;
            }
        });
    }
}
