package dev.gitopsinterlock.machineconfig;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.Reason;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.RolloutAhead;
import dev.gitopsinterlock.gate.RolloutReason;
import dev.gitopsinterlock.machineconfig.ConfigChange.Kind;
import dev.gitopsinterlock.policy.UnknownPolicyValue;
import dev.gitopsinterlock.testing.review.Gates;
import dev.gitopsinterlock.testing.review.KnownCluster;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who hears what beside a change that pools will roll out. */
class ConfigAdviceRuleTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final String PERSON = "kubernetes-admin";
    private static final JsonNode NOTHING = MissingNode.getInstance();
    private static final GatePolicy POLICY = Gates.ENABLED;

    @Test
    void aMachineConfigOfWorkerConcernsCustomPoolsToo() {
        assertThat(pools(create("60-motd", "worker"))).containsExactly("worker", "infra");
        assertThat(pools(create("60-motd", "infra"))).containsExactly("infra");
        assertThat(pools(create("60-motd", "master"))).containsExactly("master");
        assertThat(pools(create("60-motd", "storage"))).isEmpty();
    }

    @Test
    void theTimeIsThatOfTheLongestLimit() {
        assertThat(decide(create("60-motd", "master")).warnings())
                .containsExactly(new RolloutAhead(
                        List.of("master"), new Syncs(List.of("payments")), NOW.plus(Duration.ofMinutes(12))));
        assertThat(decide(create("60-motd", "worker")).warnings())
                .containsExactly(new RolloutAhead(
                        List.of("worker", "infra"), new Syncs(List.of("payments")), NOW.plus(Duration.ofMinutes(22))));
    }

    @Test
    void labelsBeforeAndAfterCount() {
        assertThat(pools(update(config("60-motd", "master", "a"), config("60-motd", "infra", "a"))))
                .containsExactly("infra", "master");
    }

    @Test
    void aDeletedOneConcernsThePoolsThatHadIt() {
        var change = new ConfigChange(
                Kind.MACHINE_CONFIG, "60-motd", Operation.DELETE, config("60-motd", "infra", "a"), NOTHING, PERSON);

        assertThat(pools(change)).containsExactly("infra");
    }

    @Test
    void whatChangesNothingIsSilent() {
        assertThat(reason(update(config("60-motd", "worker", "a"), config("60-motd", "worker", "a"))))
                .isEqualTo(RolloutReason.NO_ROLLOUT);
    }

    @Test
    void aKubeletConfigSelectsPoolsByTheirLabels() {
        var kubelet = new ConfigChange(
                Kind.KUBELET_CONFIG,
                "pods",
                Operation.CREATE,
                NOTHING,
                Trees.json("{'spec': {'machineConfigPoolSelector': {'matchLabels': {'pool': 'infra'}}}}"),
                PERSON);
        var ofNone = new ConfigChange(
                Kind.CONTAINER_RUNTIME_CONFIG,
                "pids",
                Operation.CREATE,
                NOTHING,
                Trees.json("{'spec': {'machineConfigPoolSelector': {}}}"),
                PERSON);

        assertThat(pools(kubelet)).containsExactly("infra");
        assertThat(reason(ofNone)).isEqualTo(RolloutReason.NO_ROLLOUT);
    }

    @Test
    void theOperatorsOwnAreSilent() {
        for (var account : List.of("machine-config-controller", "machine-config-operator")) {
            assertThat(reason(new ConfigChange(
                            Kind.MACHINE_CONFIG,
                            "99-worker-generated-kubelet",
                            Operation.CREATE,
                            NOTHING,
                            config("99-worker-generated-kubelet", "worker", "a"),
                            "system:serviceaccount:openshift-machine-config-operator:" + account)))
                    .isEqualTo(RolloutReason.SKIPPED);
        }
    }

    @Test
    void aRenderedOneIsKnownByItsOwnerAndNotByItsNameAlone() {
        var rendered = Trees.json("""
                {'metadata': {'name': 'rendered-worker-1', 'labels': {'role': 'worker'},
                 'ownerReferences': [{'kind': 'MachineConfigPool', 'name': 'worker'}]}, 'spec': {}}
                """);

        assertThat(reason(new ConfigChange(
                        Kind.MACHINE_CONFIG, "rendered-worker-1", Operation.DELETE, rendered, NOTHING, PERSON)))
                .isEqualTo(RolloutReason.SKIPPED);
        assertThat(pools(create("rendered-mine", "infra"))).containsExactly("infra");
    }

    @Test
    void withoutASyncThereIsNothingToSay() {
        var quiet = new KnownCluster(Optional.of(List.of()), Optional.of(all()), Optional.of(false));

        assertThat(decide(create("60-motd", "worker"), quiet)).isEqualTo(Decision.allow(RolloutReason.NO_SYNC));
    }

    @Test
    void pausedEmptyAndOptedOutPoolsAreNotTold() {
        var pools = List.of(
                pool("worker", "", "true", 3), pool("infra", "", "false", 0), pool("edge", "Disabled", "false", 3));
        var view = new KnownCluster(Optional.of(List.of(sync())), Optional.of(pools), Optional.of(false));

        assertThat(decide(create("60-motd", "worker"), view)).isEqualTo(Decision.allow(RolloutReason.OPTED_OUT));
    }

    @Test
    void aMistypedOptOutIsTold() {
        var view = new KnownCluster(
                Optional.of(List.of()), Optional.of(List.of(pool("worker", "Off", "false", 3))), Optional.of(false));

        assertThat(decide(create("60-motd", "worker"), view).warnings())
                .containsExactly(new UnknownPolicyValue(
                        UnknownPolicyValue.Level.POOL,
                        "gitops-interlock.dev/sync-hold",
                        "Off",
                        List.of("Enabled", "Observe", "Disabled")));
    }

    private static List<String> pools(ConfigChange change) {
        return decide(change).warnings().stream()
                .flatMap(notice -> ((RolloutAhead) notice).pools().stream())
                .toList();
    }

    private static Reason reason(ConfigChange change) {
        return ((Allow) decide(change).verdict()).reason();
    }

    private static Decision decide(ConfigChange change) {
        var view = new KnownCluster(Optional.of(List.of(sync())), Optional.of(all()), Optional.of(false));
        return decide(change, view);
    }

    private static Decision decide(ConfigChange change, KnownCluster cluster) {
        return ConfigAdviceRule.decide(change, cluster.controller(), cluster.syncs(), POLICY, NOW);
    }

    private static RunningSync sync() {
        return KnownCluster.sync(NOW);
    }

    private static List<Pool> all() {
        return List.of(pool("worker", "", "false", 3), pool("infra", "", "false", 1), pool("master", "", "false", 3));
    }

    private static Pool pool(String name, String syncHold, String paused, int machines) {
        var annotations = syncHold.isEmpty() ? "" : "'gitops-interlock.dev/sync-hold': '" + syncHold + "'";
        var required =
                name.equals("master") ? ", 'operator.machineconfiguration.openshift.io/required-for-upgrade': ''" : "";
        var roles = List.of("worker", "master").contains(name) ? "'" + name + "'" : "'worker', '" + name + "'";
        return Pool.of(Trees.json("""
                {'metadata': {'name': '%s', 'uid': '%s', 'labels': {'pool': '%s'%s}, 'annotations': {%s}},
                 'spec': {'paused': %s, 'machineConfigSelector':
                   {'matchExpressions': [{'key': 'role', 'operator': 'In', 'values': [%s]}]}},
                 'status': {'machineCount': %d}}
                """.formatted(name, name, name, required, annotations, paused, roles, machines)));
    }

    private static ConfigChange create(String name, String role) {
        return new ConfigChange(Kind.MACHINE_CONFIG, name, Operation.CREATE, NOTHING, config(name, role, "a"), PERSON);
    }

    private static ConfigChange update(JsonNode before, JsonNode after) {
        return new ConfigChange(Kind.MACHINE_CONFIG, "60-motd", Operation.UPDATE, before, after, PERSON);
    }

    private static JsonNode config(String name, String role, String content) {
        return Trees.json("""
                {'metadata': {'name': '%s', 'labels': {'role': '%s'}}, 'spec': {'config': {'a': '%s'}}}
                """.formatted(name, role, content));
    }
}
