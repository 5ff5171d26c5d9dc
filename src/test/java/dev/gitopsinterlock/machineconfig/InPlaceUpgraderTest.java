package dev.gitopsinterlock.machineconfig;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.gate.KnownObjects;
import dev.gitopsinterlock.gate.ObjectChange;
import dev.gitopsinterlock.gate.Progress;
import dev.gitopsinterlock.gate.RestartMaker.Approaching;
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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InPlaceUpgraderTest {

    private static final String USER = "system:hosted-cluster-config";
    private static final Instant NOW = Instant.parse("2026-11-26T12:30:00Z");

    /** As its name, what it has, where it was sent, and the minute of that. */
    private static final String[] NOBODY_SENT = {"w-0 a a 1", "w-1 a a 2"};

    private static final String[] ONE_SENT = {"w-0 b b 7", "w-1 a a 2", "w-2 a b 9", "other c c 5"};

    @ParameterizedTest(name = "{0}, {1} -> {2}: {4}")
    @CsvSource(textBlock = """
            # current, desired, sent to, user,                         what it is
            a,         a,       b,       system:hosted-cluster-config, begins
            '',        '',      b,       system:hosted-cluster-config, begins
            a,         a,       b,       kubernetes-admin,             SKIPPED
            a,         a,       a,       system:hosted-cluster-config, NO_ROLLOUT
            a,         b,       c,       system:hosted-cluster-config, NO_ROLLOUT
            a,         b,       a,       system:hosted-cluster-config, NO_ROLLOUT
            a,         a,       '',      system:hosted-cluster-config, NO_ROLLOUT
            a,         a,       B b,     system:hosted-cluster-config, NO_ROLLOUT
            """)
    void aNodeThatIsIdleBeginsARollout(String current, String desired, String sent, String user, String expected) {
        var start = upgrader(NOBODY_SENT).startedBy(change(node("w-0", "workers", current, desired, 1), sent, user));

        assertThat(start instanceof NoRollout(var reason) ? reason.name() : start instanceof Begins ? "begins" : "?")
                .isEqualTo(expected);
    }

    @Test
    void whatIsNotKnownIsNotPlaced() {
        var ofNoPool = Trees.json("{'metadata': {'name': 'w-0'}}");

        assertThat(new InPlaceUpgrader(USER, known(Optional.empty())).startedBy(change("b")))
                .isEqualTo(new Unassigned(RolloutReason.UNKNOWN_POOLS));
        assertThat(upgrader(NOBODY_SENT).startedBy(change(ofNoPool, "b", USER)))
                .isEqualTo(new Unassigned(RolloutReason.NO_POOL));
    }

    @Test
    void itIsTheRolloutOfOneConfigurationToOnePool() {
        var rollout = begun(upgrader(NOBODY_SENT).startedBy(change("b")));

        assertThat(rollout.scope().object().toString()).contains("NodePool", "workers");
        assertThat(rollout.scope().override())
                .isEqualTo("oc annotate --overwrite nodes -l hypershift.openshift.io/nodePool=workers"
                        + " gitops-interlock.dev/sync-hold=Disabled");
        assertThat(rollout.target()).isEqualTo("b");
        assertThat(rollout.node()).isEqualTo("w-0");
        assertThat(rollout.evidence().revision()).contains("/api/v1/nodes/w-0");
        assertThat(begun(upgrader(ONE_SENT).startedBy(change("b"))).scope()).isEqualTo(rollout.scope());
    }

    /** Nothing else in the cluster says that a rollout is under way, and since when. */
    @Test
    void theNodesThatWereSentTellOfItsBeginning() {
        var first = begun(upgrader(NOBODY_SENT).startedBy(change("b"))).evidence();
        var later = begun(upgrader(ONE_SENT).startedBy(change("b"))).evidence();

        assertThat(first.isConfirmed()).isFalse();
        assertThat(first.seenSince()).isEmpty();
        assertThat(later.isConfirmed()).isTrue();
        assertThat(later.seenSince()).contains(at(7));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            w-0 a a 1, w-1 a a 2 | UnderWay
            w-0 b b 7, w-1 a b 9 | UnderWay
            w-0 b b 7, w-1 b b 9 | RolledOut
            w-0 b b 7, w-1 c c 9 | UnderWay
            other b b 7          | Removed
            """)
    void itsProgressIsThatOfItsNodes(String nodes, String expected) {
        var rollout = begun(upgrader(NOBODY_SENT).startedBy(change("b")));

        assertThat(upgrader(nodes.split(", "))
                        .progressOf(rollout, NOW, NOW)
                        .getClass()
                        .getSimpleName())
                .isEqualTo(expected);
    }

    @Test
    void whereNodesAreNotKnownNoProgressIs() {
        var rollout = begun(upgrader(NOBODY_SENT).startedBy(change("b")));

        assertThat(new InPlaceUpgrader(USER, known(Optional.empty())).progressOf(rollout, NOW, NOW))
                .isEqualTo(new Progress.Unknown());
    }

    @Test
    void theNodeThatWaitsSaysHowItIsTreated() {
        var rollout = begun(upgrader(NOBODY_SENT).startedBy(change("b")));
        var optedOut = node("w-0", "workers", "a", "a", 1);
        optedOut.withObject("/metadata/annotations").put("gitops-interlock.dev/sync-hold", "Disabled");

        var progress = new InPlaceUpgrader(USER, known(Optional.of(List.of(optedOut)))).progressOf(rollout, NOW, NOW);

        assertThat(((Progress.UnderWay) progress).rollout().terms().syncHold()).isEqualTo(SyncHold.DISABLED);
    }

    /** A Node that joined has what its pool has, and was never sent there. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            w-0 a a 1, w-1 a a 2                        | -
            w-0 b b 7, w-1 a a 2                        | w-1 b
            w-0 a b 7, w-1 a a 2, w-2 a a 3             | w-1 b, w-2 b
            w-0 b b 7, w-1 a c 9, w-2 b b 8             | w-0 c, w-2 c
            w-0 b b 7, w-1 . . 0                        | -
            w-0 b b 7, other a a 2, other-2 a a 3       | -
            """)
    void thoseThatWereNotSentYetHaveItBeforeThem(String nodes, String expected) {
        var approaching = upgrader(nodes.split(", ")).approaching().toList();
        var ahead = Stream.of("w-0", "w-1", "w-2")
                .flatMap(name -> approaching.stream()
                        .map(Approaching::to)
                        .flatMap(to -> to.apply(Trees.json("{'metadata': {'name': '%s'}}".formatted(name))).stream()))
                .map(rollout -> rollout.node() + " " + rollout.target());

        assertThat(ahead).isEqualTo(expected == null ? List.of() : List.of(expected.split(", ")));
    }

    @Test
    void theLogGetsNoLinesOfOthers() {
        assertThat(upgrader(NOBODY_SENT).targetOf(change("a\\nb"))).isEqualTo("unprintable");
        assertThat(upgrader(NOBODY_SENT).targetOf(change("8d3f2a1c"))).isEqualTo("8d3f2a1c");
    }

    private static Rollout begun(RolloutStart start) {
        assertThat(start).isInstanceOf(Begins.class);
        return ((Begins) start).rollout();
    }

    private static ObjectChange change(String sent) {
        return change(node("w-0", "workers", "a", "a", 1), sent, USER);
    }

    private static ObjectChange change(JsonNode before, String sent, String user) {
        var after = before.<ObjectNode>deepCopy();
        after.withObject("/metadata/annotations").put("machineconfiguration.openshift.io/desiredConfig", sent);
        return new ObjectChange("/v1/Node", "w-0", before, after, user, false);
    }

    private static InPlaceUpgrader upgrader(String... nodes) {
        return new InPlaceUpgrader(
                USER,
                known(Optional.of(Arrays.stream(nodes)
                        .map(node -> node.split(" "))
                        .<JsonNode>map(words -> node(
                                words[0],
                                words[0].startsWith("other") ? words[0] : "workers",
                                bare(words[1]),
                                bare(words[2]),
                                Integer.parseInt(words[3])))
                        .toList())));
    }

    /** Nothing is written as a point. */
    private static String bare(String word) {
        return word.replace(".", "");
    }

    /**
     * A Node of a NodePool.
     *
     * @param minute in which the operator sent it; 0 where it never did
     */
    private static ObjectNode node(String name, String pool, String current, String desired, int minute) {
        var node = Trees.JSON.createObjectNode();
        var metadata = node.putObject("metadata").put("name", name);
        metadata.putObject("labels").put("hypershift.openshift.io/nodePool", pool);
        metadata.putObject("annotations")
                .put("machineconfiguration.openshift.io/currentConfig", current)
                .put("machineconfiguration.openshift.io/desiredConfig", desired);
        var fields = metadata.putArray("managedFields");
        fields.addObject()
                .put("manager", "machine-config-daemon")
                .put("time", at(20).toString())
                .withObject("/fieldsV1/f:metadata/f:annotations")
                .putObject("f:machineconfiguration.openshift.io/currentConfig");
        if (minute > 0) {
            fields.addObject()
                    .put("manager", "hosted-cluster-config-operator-manager")
                    .put("time", at(minute).toString())
                    .withObject("/fieldsV1/f:metadata/f:annotations")
                    .putObject("f:machineconfiguration.openshift.io/desiredConfig");
        }
        return node;
    }

    private static Instant at(int minute) {
        return Instant.parse("2026-11-26T12:00:00Z").plusSeconds(60L * minute);
    }

    private static KnownObjects known(Optional<List<JsonNode>> nodes) {
        return new KnownObjects() {
            @Override
            public <T> Optional<List<T>> of(WatchedKind<T> kind) {
                return nodes.map(all -> all.stream()
                        .flatMap(node -> kind.reader().apply(node).stream())
                        .toList());
            }
        };
    }
}
