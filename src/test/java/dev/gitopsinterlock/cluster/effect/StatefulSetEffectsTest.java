package dev.gitopsinterlock.cluster.effect;

import static dev.gitopsinterlock.cluster.effect.TestReplica.editStatefulSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cluster.api.FakeApiServer;
import dev.gitopsinterlock.cluster.api.FakeApiServer.Call;
import dev.gitopsinterlock.cluster.api.FakeApiServer.Fault;
import dev.gitopsinterlock.config.Settings.ReplacementAs;
import dev.gitopsinterlock.effect.Outcome.Done;
import dev.gitopsinterlock.effect.Outcome.RecreateFailed;
import dev.gitopsinterlock.effect.Outcome.Superseded;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is different where the old object goes in two steps: first what belongs to it is let go, then it is gone. */
class StatefulSetEffectsTest {

    private final TestReplica replica = TestReplica.as(ReplacementAs.SERVICE_ACCOUNT);
    private final FakeApiServer api = replica.api;
    private final ObjectNode live = api.create(Trees.json(
            "{'metadata': {'name': 'db', 'namespace': 'shop'}, 'spec': {'serviceName': 'old', 'replicas': 2}}"));

    @AfterEach
    void close() {
        replica.close();
    }

    @Test
    void createdOnceTheOldOneIsGone() {
        assertThat(replica.replaceStatefulSet(editStatefulSet(live))).isEqualTo(new Done());

        assertThat(api.calls())
                .containsSubsequence(
                        Call.LOOK,
                        Call.TRY_TO_CREATE,
                        Call.KEEP,
                        Call.DELETE,
                        Call.WATCH,
                        Call.CREATE,
                        Call.DROP_INTENT);
        assertReplaced();
    }

    /** The deletion was done, although nobody said so. */
    @Test
    void goesOnAfterALostAnswerToTheDeletion() {
        api.next(Call.DELETE, Fault.LOST_AFTER);
        api.letGoAfter(4);

        assertThat(replica.replaceStatefulSet(editStatefulSet(live))).isEqualTo(new Done());

        assertReplaced();
    }

    @Test
    void oneThatIsNotLetGoInTimeIsReplacedLater() {
        api.letGoAfter(-1);

        assertThat(replica.replaceStatefulSet(editStatefulSet(live)))
                .isInstanceOfSatisfying(
                        RecreateFailed.class,
                        failed -> assertThat(failed.why()).contains("has not let go of its Pods yet"));
        assertThat(api.intents()).hasSize(1);

        // for as long as it takes
        for (int round = 0; round < 5; round++) {
            replica.clock.pass(Duration.ofMinutes(2));
            replica.recovery.recoverAll();
        }
        assertThat(api.intents()).hasSize(1);
        api.letGoAfter(0);
        for (int round = 0; round < 3; round++) {
            replica.clock.pass(Duration.ofSeconds(10));
            replica.recovery.recoverAll();
        }

        assertReplaced();
    }

    @Test
    void anotherOneInItsPlaceIsLeftAlone() {
        api.justBefore(Call.WATCH, () -> {
            api.remove("db");
            api.create(live.deepCopy());
        });

        assertThat(replica.replaceStatefulSet(editStatefulSet(live))).isEqualTo(new Superseded());

        assertThat(api.job("db").orElseThrow().at("/spec/serviceName").asText()).isEqualTo("old");
        assertThat(api.intents()).isEmpty();
    }

    @Test
    void withoutAWatchAnotherOneInItsPlaceIsLeftAlone() {
        api.always(Call.WATCH, Fault.status(403));
        api.justBefore(Call.LOOK, () -> {});
        api.justBefore(Call.LOOK, () -> {
            api.remove("db");
            api.create(live.deepCopy());
        });

        assertThat(replica.replaceStatefulSet(editStatefulSet(live))).isEqualTo(new Superseded());

        assertThat(api.calls()).doesNotContain(Call.CREATE);
        assertThat(api.intents()).isEmpty();
    }

    /** The API server stores what is written to an object that is on its way out, and says so. */
    @Test
    void whatOthersWriteMeanwhileIsInTheNewOne() {
        api.justBefore(Call.WATCH, this::scale);

        assertThat(replica.replaceStatefulSet(editStatefulSet(live))).isEqualTo(new Done());

        assertReplaced(3);
    }

    /** As with the rights of an older chart. */
    @Test
    void withoutAWatchWhatWasSeenLastIsInTheNewOne() {
        api.always(Call.WATCH, Fault.status(403));
        api.justBefore(Call.LOOK, () -> {});
        api.justBefore(Call.LOOK, this::scale);

        assertThat(replica.replaceStatefulSet(editStatefulSet(live))).isEqualTo(new Done());

        assertReplaced(3);
    }

    @Test
    void afterAWatchWithoutAnAnswerTheNextOneSeesWhatOthersWrite() {
        api.next(Call.WATCH, Fault.LOST_BEFORE);
        api.justBefore(Call.WATCH, () -> {});
        api.justBefore(Call.WATCH, this::scale);

        assertThat(replica.replaceStatefulSet(editStatefulSet(live))).isEqualTo(new Done());

        assertReplaced(3);
    }

    @Test
    void oneThatIsRefusedWithWhatOthersWroteIsCreatedAsItWasTried() {
        api.justBefore(Call.WATCH, this::scale);
        api.next(Call.CREATE, Fault.status(422));

        assertThat(replica.replaceStatefulSet(editStatefulSet(live))).isEqualTo(new Done());

        assertReplaced(2);
    }

    private void scale() {
        ObjectNode scaled = api.job("db").orElseThrow().deepCopy();
        scaled.withObject("/spec").put("replicas", 3);
        api.write(scaled);
    }

    private void assertReplaced() {
        assertReplaced(2);
    }

    private void assertReplaced(int replicas) {
        var set = api.job("db").orElseThrow();
        assertThat(set.at("/metadata/uid")).isNotEqualTo(live.at("/metadata/uid"));
        assertThat(set.at("/spec/serviceName").asText()).isEqualTo("new");
        assertThat(set.at("/spec/replicas").asInt()).isEqualTo(replicas);
        assertThat(api.intents()).isEmpty();
    }
}
